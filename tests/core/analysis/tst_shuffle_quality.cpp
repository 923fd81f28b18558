// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "core/analysis/shuffle_quality.h"
#include "tests/core/analysis/closeness.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::close;

namespace {

using Numbers = std::vector<std::uint32_t>;

}  // namespace

class TestShuffleQuality : public QObject {
  Q_OBJECT
 private slots:
  void figuresOfAShortOrderByHand() {
    // Source: 0 to 3, of classes 0 0 1 1, in files of two; the epoch swaps the middle ones.
    const Numbers places = {0, 2, 1, 3};
    const Numbers classes = {0, 1, 0, 1};
    const Numbers files = {0, 1, 0, 1};
    const ShuffleQuality quality = shuffleQuality({places, classes, files, 2});
    QCOMPARE(quality.samples, 4U);
    QVERIFY(close(quality.distance.value, 2.0 / 4 / 4));
    QVERIFY(close(quality.distance.full, 15.0 / 48));
    QVERIFY(close(quality.classRun->value, 1));
    QVERIFY(close(quality.fileRun->value, 1));
    QVERIFY(close(quality.batchEntropy->value, 1));
    QCOMPARE(quality.entropyAlong, (std::vector<double>{1, 1}));
    // Of the six arrangements of 0 0 1 1, four have one class of each kind in both batches.
    QVERIFY2(close(quality.batchEntropy->full, 4.0 / 6, 0.15),
             qPrintable(QString::number(quality.batchEntropy->full)));
  }

  void anOrderBySortedClassesIsPoorlyMixed() {
    Numbers places(1000);
    std::iota(places.begin(), places.end(), 0U);
    Numbers classes(1000);
    for (std::size_t i = 0; i < classes.size(); ++i)
      classes[i] = static_cast<std::uint32_t>(i / 100);
    const ShuffleQuality sorted = shuffleQuality({places, classes, {}, 50});
    QVERIFY(close(sorted.distance.value, 0));
    QVERIFY(close(sorted.classRun->value, 100));
    QVERIFY(close(sorted.classRun->full, 1.11, 0.02));
    QVERIFY(close(sorted.batchEntropy->value, 0));
    QVERIFY2(close(sorted.batchEntropy->full, 3.19, 0.03),
             qPrintable(QString::number(sorted.batchEntropy->full)));
    QVERIFY(!sorted.fileRun);
    QVERIFY(isPoorlyMixed(sorted));

    // Every class in turn: no random order mixes better.
    for (std::size_t i = 0; i < classes.size(); ++i)
      classes[i] = static_cast<std::uint32_t>(i % 10);
    const ShuffleQuality mixed = shuffleQuality({places, classes, {}, 50});
    QVERIFY(close(mixed.batchEntropy->value, std::log2(10.0)));
    QVERIFY(!isPoorlyMixed(mixed));
  }

  void anEpochWithoutSamplesOrClassesHasNoFiguresOfThem() {
    QCOMPARE(shuffleQuality({}).samples, 0U);
    const Numbers places = {0};
    const ShuffleQuality one = shuffleQuality({places, {}, {}, 8});
    QVERIFY(!one.classRun && !one.batchEntropy && !isPoorlyMixed(one));
    QVERIFY(close(one.distance.full, 0));
  }
};

}  // namespace millrace

using millrace::TestShuffleQuality;
MILLRACE_TEST_CASE(TestShuffleQuality)
#include "tst_shuffle_quality.moc"
