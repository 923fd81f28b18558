// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "core/codecs/encode.h"
#include "core/spec/label_sets.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::floatsOf;
using tests::openSource;
using tests::says;
using tests::TemporaryFolder;
using Floats = std::vector<float>;

std::string png(int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * height, 7);
  const auto file = encodePng({pixels.data(), width, height, 1, width});
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

/// A COCO file of two pictures: one object and a crowd, and no object.
void writeCoco(const TemporaryFolder& folder) {
  folder.write("images/a.png", png(40, 20));
  folder.write("images/b.png", png(10, 10));
  folder.write("coco.json", R"({"categories": [{"id": 4, "name": "cat"}], "images": [
    {"id": 1, "file_name": "a.png", "width": 40, "height": 20},
    {"id": 2, "file_name": "b.png", "width": 10, "height": 10}], "annotations": [
    {"image_id": 1, "category_id": 4, "bbox": [4, 2, 10, 6], "area": 50, "iscrowd": 0},
    {"image_id": 1, "category_id": 4, "bbox": [0, 0, 40, 20], "area": 90, "iscrowd": 1}]})");
}

Sample readFrom(const Source& source, std::uint32_t index, Status& status) {
  Sample sample(source.fields().size());
  sample.reset({0, index, 0}, source.fields().size());
  ReadCounters counters;
  status = source.reader()->read(index, sample, counters);
  return sample;
}

}  // namespace

class TestDetection : public QObject {
  Q_OBJECT
 private slots:
  void readsObjectsOfAPicture() {
    const TemporaryFolder folder;
    writeCoco(folder);
    const TextList values{"visible", "area", "crowd"};
    const auto source = openSource(
        "detection", {{"path", (folder.path() / "coco.json").native()}, {"values", values}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE((*source)->classes(), (std::vector<std::string>{"cat"}));
    QCOMPARE((*source)->name(1), std::string("b.png"));
    const auto* const sets = dynamic_cast<const KnowsLabelSets*>(source->get());
    QVERIFY(sets != nullptr && sets->hasLabelSets());
    QCOMPARE(sets->labelsOf(0), (std::vector<std::int64_t>{0}));
    QVERIFY(sets->labelsOf(1).empty());
    QCOMPARE((*source)->fields().size(), std::size_t{6});
    Status status;
    Sample sample = readFrom(**source, 0, status);
    VERIFY_OK(status);
    QCOMPARE(floatsOf(sample[1]), (Floats{4, 2, 14, 8}));
    QCOMPARE(sample[2].shape, (Shape{1}));
    QCOMPARE(*sample[2].as<std::int64_t>(), std::int64_t{0});
    QCOMPARE(floatsOf(sample[3]), (Floats{50}));
    QCOMPARE(*sample[4].as<std::uint8_t>(), std::uint8_t{0});
    QCOMPARE(floatsOf(sample[5]), (Floats{1}));
    sample = readFrom(**source, 1, status);
    VERIFY_OK(status);
    QCOMPARE(sample[1].shape, (Shape{0, 4}));
  }

  void crowdsAndEmptyPicturesAreChosen() {
    const TemporaryFolder folder;
    writeCoco(folder);
    const auto source = openSource("detection", {{"path", (folder.path() / "coco.json").native()},
                                                 {"crowds", std::string("keep")},
                                                 {"empty", std::string("skip")}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
    Status status;
    const Sample sample = readFrom(**source, 0, status);
    QCOMPARE(sample[1].shape, (Shape{2, 4}));
  }

  void fractionsBecomePixelsOfThePicture() {
    const TemporaryFolder folder;
    folder.write("images/a.png", png(40, 20));
    folder.write("labels/a.txt", "0 0.5 0.5 0.5 0.2\n");
    const auto source =
        openSource("detection", {{"path", folder.path().native()}, {"values", TextList{"area"}}});
    VERIFY_OK(source);
    Status status;
    const Sample sample = readFrom(**source, 0, status);
    VERIFY_OK(status);
    QCOMPARE(floatsOf(sample[1]), (Floats{10, 8, 30, 12}));
    QVERIFY(std::abs(floatsOf(sample[3])[0] - 80) < 1e-3F);
  }

  void aPictureOfAnotherSizeThanItsAnnotationFails() {
    const TemporaryFolder folder;
    writeCoco(folder);
    folder.write("images/b.png", png(20, 20));
    folder.write("images/a.png", "no picture");
    const auto source = openSource("detection", {{"path", (folder.path() / "coco.json").native()}});
    VERIFY_OK(source);
    Status status;
    readFrom(**source, 1, status);
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message,
             std::string("it is 20 x 20 pixels, but its annotation was made for 10 x 10"));
    readFrom(**source, 0, status);
    QVERIFY(!status.ok());
  }

  void saysWhatItNeeds() {
    const TemporaryFolder folder;
    folder.write("a.txt");
    QVERIFY(says(openSource("detection", {{"path", folder.path().native()}}),
                 "holds no annotations of a known format: COCO"));
    QVERIFY(says(openSource("detection", {{"path", (folder.path() / "x.json").native()}}),
                 "there is no file or folder"));
    Problems problems;
    tests::inferNode("detection", {{"path", std::string("x")}, {"values", TextList{"size"}}}, {},
                     problems);
    QVERIFY(problems.anyError());
  }
};

MILLRACE_TEST_CASE(TestDetection)

}  // namespace millrace

#include "tst_detection.moc"
