// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

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

  void batchesOfOneClassAreNotPoorlyMixed() {
    const Numbers places = {2, 0, 1, 3, 5, 4};
    const Numbers classes(6, 0);
    const ShuffleQuality quality = shuffleQuality({places, classes, {}, 3});
    QVERIFY2(quality.batchEntropy->value == 0 && !std::signbit(quality.batchEntropy->value),
             qPrintable(QString::number(quality.batchEntropy->value)));
    QVERIFY(!isPoorlyMixed(quality));
  }

  void aFullShuffleOfFewSamplesIsChance() {
    // 12 samples of one class and 3 of the other in batches of 4. Two of five shuffles have less
    // than nine tenths of the mean entropy.
    Numbers places(15);
    std::iota(places.begin(), places.end(), 0U);
    std::mt19937 random(1);
    int poor = 0;
    int unlikely = 0;
    for (int i = 0; i < 200; ++i) {
      std::shuffle(places.begin(), places.end(), random);
      Numbers classes;
      for (const std::uint32_t place : places) classes.push_back(place < 12 ? 0 : 1);
      const ShuffleQuality quality = shuffleQuality({places, classes, {}, 4});
      poor += isPoorlyMixed(quality) ? 1 : 0;
      unlikely += quality.distance.isChance() ? 0 : 1;
    }
    QVERIFY2(poor <= 2 && unlikely <= 2, qPrintable(QString("%1 %2").arg(poor).arg(unlikely)));
    std::ranges::sort(places);
    QVERIFY(!shuffleQuality({places, {}, {}, 4}).distance.isChance());
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
