// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The source of MXNet's RecordIO files.
#include <cstring>
#include <filesystem>

#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/real_data.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::fieldsOf;
using tests::kJpeg;
using tests::littleEndian;
using tests::Opened;
using tests::openSource;
using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

const std::string kMagic = "\x0a\x23\xd7\xce";

std::string part(unsigned kind, const std::string& bytes) {
  const std::string padding((4 - bytes.size() % 4) % 4, '\0');
  return kMagic + littleEndian(kind << 29U | bytes.size(), 4) + bytes + padding;
}

std::string floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size()};
}

/// A record as im2rec writes it: a single label is in the header.
std::string image(const std::vector<float>& labels, const std::string& content) {
  const bool one = labels.size() == 1;
  return littleEndian(one ? 0 : labels.size(), 4) + floats({one ? labels[0] : 0.0F}) +
         std::string(16, '\0') + (one ? "" : floats(labels)) + content;
}

Opened openRec(const TemporaryFolder& folder, const Values& more = {}) {
  Values values = more;
  values["paths"] = TextList{"a.rec"};
  return openSource("recordio", values, folder.path());
}

/// As for any source; f32 in tenths, each followed by a space.
std::string recordText(const Source& source, std::uint32_t index) {
  return tests::sampleText(source, index, [](const TensorView& view) {
    if (view.dtype != DType::F32) return tests::valueText(view);
    std::string text;
    for (std::size_t i = 0; i < view.bytes / sizeof(float); ++i)
      text += std::to_string(static_cast<int>(10 * view.as<float>()[i])) + " ";
    return text;
  });
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestRecordio : public QObject {
  Q_OBJECT
 private slots:
  void oneRecordWithOtherLabelsFailsAlone() {
    const TemporaryFolder folder;
    const std::string usual = part(0, image({1}, kJpeg));
    folder.write("a.rec", usual + part(0, image({1, 2}, kJpeg)) + usual);
    const auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QCOMPARE((*source)->warnings(),
             (Texts{"1 of the 3 pictures examined has labels that are not one class and will "
                    "fail"}));
    QCOMPARE(recordText(**source, 2), "a.rec#2: " + kJpeg + "|1");
    folder.write("a.rec", usual + part(0, image({0.5F}, kJpeg)) + usual);
    QCOMPARE(fieldsOf(**openRec(folder)), (Texts{"image encoded", "label f32 scalar"}));
  }

  void aRecordIsAPictureAndItsClass() {
    const TemporaryFolder folder;
    folder.write("a.rec",
                 part(0, image({1}, kJpeg + "1")) + part(0, image({7}, kJpeg + "and more")));
    const auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE(recordText(**source, 0), "a.rec#0: " + kJpeg + "1|1");
    QCOMPARE(recordText(**source, 1), "a.rec#1: " + kJpeg + "and more|7");
    QVERIFY((*source)->warnings().empty());
  }

  void partsAreJoinedWithTheMagicBetween() {
    const TemporaryFolder folder;
    folder.write("a.rec", part(1, "abcd") + part(2, "efgh") + part(3, "ij") + part(0, "whole"));
    const auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), Texts{"record encoded"});
    QCOMPARE(recordText(**source, 0), "a.rec#0: abcd" + kMagic + "efgh" + kMagic + "ij");
    QCOMPARE(recordText(**source, 1), std::string("a.rec#1: whole"));
  }

  void labelsAreWhatTheRecordsHave() {
    const TemporaryFolder folder;
    folder.write("a.rec", part(0, image({0.5F}, kJpeg)) + part(0, image({2}, kJpeg)));
    QCOMPARE(fieldsOf(**openRec(folder))[1], std::string("label f32 scalar"));
    const auto classes = openRec(folder, {{"labels", std::string("classes")}});
    QVERIFY(says(recordText(**classes, 0), "label 0.5 is not a class; set labels to numbers"));
    QCOMPARE(fieldsOf(**openRec(folder, {{"labels", std::string("none")}})),
             Texts{"image encoded"});
    folder.write("a.rec", part(0, image({1, 2.5F}, kJpeg)) + part(0, image({3, 4}, kJpeg)));
    const auto two = openRec(folder);
    QCOMPARE(fieldsOf(**two)[1], std::string("labels f32 2"));
    QCOMPARE(recordText(**two, 0), "a.rec#0: " + kJpeg + "|10 25 ");
    folder.write("a.rec", part(0, image({1, 2}, kJpeg)) + part(0, image({1, 2, 3}, kJpeg)));
    QCOMPARE(fieldsOf(**openRec(folder))[1], std::string("labels f32 ?"));
    QCOMPARE(recordText(**openRec(folder), 1), "a.rec#1: " + kJpeg + "|10 20 30 ");
  }

  void anIdxSaysWhichRecordsThereAre() {
    const TemporaryFolder folder;
    const std::string first = part(0, "one");
    folder.write("a.rec", first + part(0, "two") + part(0, "three"));
    folder.write("a.idx", "9\t" + std::to_string(first.size()) + "\n4\t0\n");
    const auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE(recordText(**source, 0), std::string("a.rec#9: two"));
    QCOMPARE(recordText(**source, 1), std::string("a.rec#4: one"));
    for (const char* wrong : {"9 0\n", "9\t2\n", "9\t4\n", "9\t4000\n", "x\t0\n", "1\t0 7\n", ""}) {
      folder.write("a.idx", wrong);
      const auto found = openRec(folder);
      VERIFY_OK(found);
      QCOMPARE((*found)->size(), 3U);
      QVERIFY(says((*found)->warnings().front(), "`a.idx` is not used"));
    }
  }

  void recordsAboutFacesAreNoPictures() {
    const TemporaryFolder folder;
    const std::string head = part(0, image({2, 4}, ""));
    const std::string picture = part(0, image({5}, kJpeg));
    folder.write("a.rec", head + picture + part(0, image({1, 2}, "")));
    folder.write("a.idx", "0\t0\n1\t" + std::to_string(head.size()) + "\n2\t" +
                              std::to_string(head.size() + picture.size()) + "\n");
    const auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
    QCOMPARE(recordText(**source, 0), "a.rec#1: " + kJpeg + "|5");
    QVERIFY(says((*source)->warnings().front(), "2 records about other records"));
  }

  void damageIsPassedOverAndNamed() {
    const TemporaryFolder folder;
    const std::string one = part(0, "one.");
    folder.write("a.rec", one + "rubbish!" + part(2, "middle") + part(0, "two"));
    auto source = openRec(folder);
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE(recordText(**source, 1), std::string("a.rec#1: two"));
    QVERIFY(says((*source)->warnings().front(), "byte 12: 24 bytes left out"));
    const std::string whole = one + part(1, "abcd") + part(3, "efgh");
    for (std::size_t cut = one.size(); cut < whole.size(); ++cut) {
      folder.write("a.rec", whole.substr(0, cut));
      source = openRec(folder);
      VERIFY_OK(source);
      QCOMPARE((*source)->size(), 1U);
      QCOMPARE((*source)->warnings().empty(), cut == one.size());
    }
    folder.write("a.rec", whole);
    QCOMPARE((*openRec(folder))->size(), 2U);
    fs::resize_file(folder.path() / "a.rec", one.size() - 2);
    QVERIFY(!openRec(folder).ok());
  }

  void readsWhatMxnetWrote_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("labels");
    QTest::addColumn<QString>("last");
    QTest::newRow("im2rec") << "mxnet_rec/resize128_q90.rec" << "0123456012345601"
                            << "resize128_q90.rec#15";
    QTest::newRow("with an idx") << "mxnet_rec_adaface/data" << "01110100" << "train.rec#2";
  }
  void readsWhatMxnetWrote() {
    QFETCH(QString, path);
    QFETCH(QString, labels);
    QFETCH(QString, last);
    const auto data = tests::realData();
    if (!data) QSKIP("no real data");
    const fs::path file = *data / "containers" / path.toStdString();
    const auto source = openSource("recordio", {{"paths", TextList{file.native()}}});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QString found;
    for (std::uint32_t i = 0; i < (*source)->size(); ++i) {
      const std::string text = recordText(**source, i);
      QVERIFY2(text.find(": \xff\xd8\xff") != std::string::npos, text.substr(0, 80).c_str());
      found += QLatin1Char(text.back());
    }
    QCOMPARE(found, labels);
    QCOMPARE(QString::fromStdString((*source)->name((*source)->size() - 1)), last);
    QVERIFY((*source)->warnings().empty());
  }
};

}  // namespace millrace

using millrace::TestRecordio;
MILLRACE_TEST_CASE(TestRecordio)
#include "tst_recordio.moc"
