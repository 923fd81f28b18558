// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_run.h"

#include <cstring>

#include "core/codecs/encode.h"
#include "core/preview/previewed_sample.h"
#include "tests/core/preview/previewed_chain.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::previewOf;

namespace {

/// A preview that owns its plan.
struct Previewing {
  explicit Previewing(const std::string& chain, const std::string& node = {}) {
    auto planned = previewPlan(previewOf(chain, node), kept);
    if (!planned) qFatal("%s", planned.error().message.c_str());
    plan = planned.take();
    auto made = PreviewRun::make(plan, false);
    if (!made) qFatal("%s", made.error().message.c_str());
    run = made.take();
  }
  std::vector<double> elementsAt(std::uint64_t place, std::size_t field) {
    const PreviewSample sample = run->at(place);
    if (sample.sample == nullptr) qFatal("%s", sample.error.c_str());
    return elementsOf((*sample.sample)[field]);
  }

  KeptSource kept;
  Plan plan;
  std::unique_ptr<PreviewRun> run;
};

const std::string kPairs =
    "synthetic {\"content\": \"image\", \"count\": 12, \"height\": 4, \"width\": 5}\n"
    "precision {}\n"
    "one_hot {\"classes\": 10}\n"
    "batch {\"size\": 4}\n";

/// A folder of two classes: three pictures, and one file that is not a picture.
void writePictures(const tests::TemporaryFolder& folder) {
  const std::vector<std::uint8_t> grey(std::size_t{6} * 6 * 3, 90);
  const auto png = encodePng({grey.data(), 6, 6, 3, 18});
  const std::string bytes(reinterpret_cast<const char*>(png->data()), png->size());
  folder.write("cats/a.png", bytes);
  folder.write("cats/b.png", "\x89PNG\r\n\x1a\nnothing more");
  folder.write("dogs/c.png", bytes);
  folder.write("dogs/d.png", bytes);
}

std::string readingOf(const tests::TemporaryFolder& folder) {
  return "image_folder {\"paths\": [\"" + folder.path().string() +
         "\"]}\ndecode\nresize {\"width\": 5, \"height\": 4}\n";
}

}  // namespace

class TestPreviewRun : public QObject {
  Q_OBJECT
 private slots:
  void aSampleIsTheSameWhateverWasMadeBefore() {
    Previewing one(kPairs, "precision");
    Previewing other(kPairs, "precision");
    const auto seventh = one.elementsAt(6, 0);
    for (const std::uint64_t place : {11, 0, 3}) (void)other.elementsAt(place, 0);
    QVERIFY(other.elementsAt(6, 0) == seventh);
    const PreviewSample next = one.run->at(12 + 3);
    QCOMPARE(next.key.epoch, std::uint32_t{1});
    QCOMPARE(next.position, std::uint64_t{3});
    QCOMPARE(next.epochSamples.value_or(0), std::uint64_t{12});
  }

  /// MixUp blends each row with the previous one of its batch, so the sum over a batch stays.
  void aNodeForBatchesActsOnTheSamplesOfARun() {
    Previewing plain(kPairs, "one_hot");
    Previewing mixed(kPairs + "mixup {\"alpha\": 1.0}\n");
    for (const std::uint64_t batch : {1, 0, 2}) {
      double before = 0;
      double after = 0;
      bool blended = false;
      for (std::uint64_t row = 0; row < 4; ++row) {
        const auto own = plain.elementsAt(4 * batch + row, 1);
        const auto label = mixed.elementsAt(4 * batch + row, 1);
        QCOMPARE(label.size(), std::size_t{10});
        for (const double value : plain.elementsAt(4 * batch + row, 0)) before += value;
        for (const double value : mixed.elementsAt(4 * batch + row, 0)) after += value;
        blended = blended || label != own;
      }
      QVERIFY(blended);
      QVERIFY2(std::abs(before - after) <= 1e-3 * std::abs(before),
               qPrintable(QString::number(after)));
    }
    const PreviewedSample shown = previewed(mixed.run->at(5), 5, mixed.plan);
    QCOMPARE(shown.node, std::string("mixup"));
    QCOMPARE(shown.fields.size(), std::size_t{2});
    QVERIFY(!shown.fields.front().png.empty());
    QVERIFY(shown.fields.back().label.has_value());
  }

  void aBrokenSampleHasItsReasonAndTheOthersArePreviewed() {
    const tests::TemporaryFolder folder;
    writePictures(folder);
    Previewing rows(readingOf(folder));
    int failed = 0;
    for (std::uint64_t place = 0; place < 8; ++place) {
      const PreviewSample sample = rows.run->at(place);
      QCOMPARE(sample.sample == nullptr, !sample.error.empty());
      if (sample.sample != nullptr) continue;
      ++failed;
      QVERIFY2(sample.name.ends_with("b.png"), sample.name.c_str());
      QVERIFY2(sample.error != "failed", "the second time, too, the reason is known");
    }
    QCOMPARE(failed, 2);  // once in each epoch
    const PreviewedSample shown = previewed(rows.run->at(3), 3, rows.plan);
    QCOMPARE(shown.fields.back().labelClass, std::string("dogs"));
  }

  void allClassesOfASampleAreNamed() {
    const tests::TemporaryFolder folder;
    writePictures(folder);
    folder.write("t.csv", "image,tags\ncats/a.png,cat|red\ndogs/c.png,\ndogs/d.png,red\n");
    Previewing rows("manifest {\"paths\": [\"" + (folder.path() / "t.csv").string() +
                    "\"], \"multi_label\": true}\ndecode\n");
    const auto labelAt = [&](std::uint64_t place) {
      return previewed(rows.run->at(place), place, rows.plan).fields.back();
    };
    QCOMPARE(labelAt(0).labelClass, std::string("cat, red"));
    QCOMPARE(labelAt(0).label, std::optional(0.0));
    QVERIFY(!labelAt(1).label && labelAt(1).labelClass.empty());
    QCOMPARE(labelAt(2).labelClass, std::string("red"));
    QCOMPARE(labelAt(2).label, std::optional(1.0));
  }

  void aBrokenSampleShortensItsBatchAndMovesNoOther() {
    const tests::TemporaryFolder folder;
    writePictures(folder);
    const std::string chain = readingOf(folder) +
                              "precision {}\none_hot {\"classes\": 2}\nbatch {\"size\": 4}\n"
                              "mixup {\"probability\": 0.0}\n";
    Previewing batches(chain);
    for (const std::uint64_t place : {0, 2, 3}) {
      const PreviewSample sample = batches.run->at(place);
      QVERIFY2(sample.sample != nullptr, sample.error.c_str());
      QCOMPARE(elementsOf((*sample.sample)[1]),
               (place == 0 ? std::vector<double>{1, 0} : std::vector<double>{0, 1}));
    }
    const PreviewSample broken = batches.run->at(1);
    QVERIFY(broken.sample == nullptr);
    QVERIFY2(broken.name.ends_with("b.png") && !broken.error.empty(), broken.error.c_str());
    const PreviewedSample shown = previewed(broken, 1, batches.plan);
    QVERIFY(shown.fields.empty());
    QCOMPARE(shown.error, broken.error);
  }
};

}  // namespace millrace

using millrace::TestPreviewRun;
MILLRACE_TEST_CASE(TestPreviewRun)
#include "tst_preview_run.moc"
