// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/block_measurement.h"

#include <algorithm>
#include <set>

#include "tests/support/hand_clock.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::HandClock;

namespace {

/// Made-up repeats: side s runs at 1000 + 100 s samples/s. `disturbed` lists the repeats, counted
/// from 0, that another process disturbs.
class FakeMeasurer final : public SideMeasurer {
 public:
  explicit FakeMeasurer(HandClock& clock) : m_clock(clock) {}

  Result<RunResult> measure(std::size_t side) override {
    const std::size_t number = sides.size();
    sides.push_back(side);
    m_clock.pass(2);
    RunResult result;
    if (number == stopAt && onStop) onStop();
    if (stops > 0) {
      result.outcome = RunOutcome::Interrupted;
      return result;
    }
    if (number == failAt) {
      result.outcome = RunOutcome::Failed;
      result.reason = "decode: no picture";
      return result;
    }
    SpanFigures figures;
    figures.samplesPerSecond.mean = 1000.0 + 100.0 * static_cast<double>(side);
    figures.otherBusyShare = disturbed.contains(number) || alwaysDisturbed ? 0.2 : 0.01;
    if (number != emptyAt) result.repeats.push_back(figures);
    return result;
  }
  void stop() override { ++stops; }
  void cancel() override { ++stops; }

  std::vector<std::size_t> sides;
  std::set<std::size_t> disturbed;
  bool alwaysDisturbed = false;
  std::size_t stopAt = SIZE_MAX;
  std::size_t failAt = SIZE_MAX;
  std::size_t emptyAt = SIZE_MAX;
  std::function<void()> onStop;
  int stops = 0;

 private:
  HandClock& m_clock;
};

class BlockNotes final : public BlockObserver {
 public:
  void onStep(const BlockStep& step) override { steps.push_back(step); }
  void onBlock(std::size_t index, const MeasuredBlock&) override { blocks.push_back(index); }
  void onReplaced(const MeasuredBlock&) override { ++replaced; }

  std::vector<BlockStep> steps;
  std::vector<std::size_t> blocks;
  std::size_t replaced = 0;
};

BlockSettings settingsFor(std::size_t blocks, std::size_t sides = 2) {
  BlockSettings settings;
  settings.sides = sides;
  settings.seed = 11;
  settings.wanted = [blocks](const MeasuredBlocks&) { return blocks; };
  return settings;
}

MeasuredBlock blockOf(double a, double b) {
  MeasuredBlock block;
  block.sides.resize(2);
  block.sides[0].samplesPerSecond.mean = a;
  block.sides[1].samplesPerSecond.mean = b;
  return block;
}

}  // namespace

class TestBlockMeasurement : public QObject {
  Q_OBJECT
 private slots:
  void everyBlockHoldsEverySideOnce() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(4, 3), notes, {}, clock);
    const BlockResult result = measurement.run();
    QVERIFY(result.end == BlockEnd::Finished);
    QCOMPARE(result.measured.blocks.size(), std::size_t{4});
    QCOMPARE(measurer.sides.size(), std::size_t{12});
    for (std::size_t block = 0; block < 4; ++block) {
      const auto begin = measurer.sides.begin() + static_cast<std::ptrdiff_t>(3 * block);
      QCOMPARE(std::set<std::size_t>(begin, begin + 3), (std::set<std::size_t>{0, 1, 2}));
    }
    QCOMPARE(result.measured.rates(2), std::vector<double>(4, 1200.0));
    QCOMPARE(notes.blocks, (std::vector<std::size_t>{0, 1, 2, 3}));
  }

  void theOrderIsTheSeedsAndGoesBothWays() {
    std::size_t firstA = 0;
    bool otherSeedDiffers = false;
    for (std::size_t block = 0; block < 1000; ++block) {
      QCOMPARE(blockOrder(5, block, 2), blockOrder(5, block, 2));
      firstA += blockOrder(5, block, 2).front() == 0 ? 1 : 0;
      otherSeedDiffers |= blockOrder(5, block, 2) != blockOrder(6, block, 2);
    }
    // Half of 1000 with chance: four standard deviations are 63.
    QVERIFY(firstA > 437 && firstA < 563);
    QVERIFY(otherSeedDiffers);
    std::set<std::vector<std::size_t>> orders;
    for (std::size_t block = 0; block < 200; ++block) orders.insert(blockOrder(5, block, 3));
    QCOMPARE(orders.size(), std::size_t{6});
  }

  void aDisturbedBlockIsMeasuredAgain() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    measurer.disturbed = {3};
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(5), notes, {}, clock);
    const BlockResult result = measurement.run();
    QCOMPARE(measurer.sides.size(), std::size_t{12});
    QCOMPARE(result.measured.blocks.size(), std::size_t{5});
    QCOMPARE(result.measured.replaced, std::size_t{1});
    QCOMPARE(result.measured.disturbed(), std::size_t{0});
    QCOMPARE(QString::fromStdString(result.measured.disturbance),
             "other programs took 20 % of the cores");
    QCOMPARE(notes.replaced, std::size_t{1});
  }

  void afterAsManyReplacementsAsAllowedDisturbedBlocksAreKeptAndMarked() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    measurer.alwaysDisturbed = true;
    BlockNotes notes;
    BlockSettings settings = settingsFor(5);
    settings.mostReplaced = 3;
    BlockMeasurement measurement(measurer, settings, notes, {}, clock);
    const BlockResult result = measurement.run();
    QVERIFY(result.end == BlockEnd::Finished);
    QCOMPARE(measurer.sides.size(), std::size_t{16});
    QCOMPARE(result.measured.replaced, std::size_t{3});
    QCOMPARE(result.measured.disturbed(), std::size_t{5});
  }

  void threePerCentOfTheCoresIsNotYetADisturbance() {
    std::vector<SpanFigures> sides(2);
    QVERIFY(!isDisturbed(sides));  // the kernel reported no figures
    sides[1].otherBusyShare = 0.03;
    QVERIFY(!isDisturbed(sides));
    sides[1].otherBusyShare = 0.0301;
    QVERIFY(isDisturbed(sides));
  }

  void aStopDropsTheUnfinishedBlock() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(5), notes, {}, clock);
    measurer.stopAt = 5;
    measurer.onStop = [&] { measurement.stop(); };
    const BlockResult result = measurement.run();
    QVERIFY(result.end == BlockEnd::Stopped);
    QCOMPARE(result.measured.blocks.size(), std::size_t{2});
    QCOMPARE(measurer.sides.size(), std::size_t{6});
    QCOMPARE(measurer.stops, 1);
  }

  void aStopBeforeTheBeginMeasuresNothing() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(5), notes, {}, clock);
    measurement.cancel();
    QVERIFY(measurement.run().end == BlockEnd::Stopped);
    QVERIFY(measurer.sides.empty());
  }

  void goingOnLaterIsTheSameAsNeverHavingStopped() {
    HandClock clock;
    BlockNotes notes;
    FakeMeasurer whole(clock);
    whole.disturbed = {4};
    BlockMeasurement through(whole, settingsFor(6), notes, {}, clock);
    through.run();

    FakeMeasurer first(clock);
    first.disturbed = {4};
    BlockMeasurement begun(first, settingsFor(6), notes, {}, clock);
    first.stopAt = 9;
    first.onStop = [&] { begun.stop(); };
    const BlockResult half = begun.run();
    QCOMPARE(half.measured.blocks.size(), std::size_t{3});
    QCOMPARE(half.measured.replaced, std::size_t{1});
    FakeMeasurer second(clock);
    BlockMeasurement rest(second, settingsFor(6), notes, half.measured, clock);
    const BlockResult result = rest.run();
    QCOMPARE(result.measured.blocks.size(), std::size_t{6});

    std::vector<std::size_t> order(first.sides.begin(), first.sides.begin() + 8);
    order.insert(order.end(), second.sides.begin(), second.sides.end());
    QCOMPARE(order, whole.sides);
  }

  void aSideThatFailsEndsTheMeasurementWithItsReason() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    measurer.failAt = 6;
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(5), notes, {}, clock);
    const BlockResult result = measurement.run();
    QVERIFY(result.end == BlockEnd::Failed);
    QCOMPARE(result.reason, std::string("decode: no picture"));
    QCOMPARE(result.failedSide, measurer.sides.back());
    QCOMPARE(result.measured.blocks.size(), std::size_t{3});
  }

  void aRepeatWithoutABatchFailsWithARemedy() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    measurer.emptyAt = 0;
    BlockNotes notes;
    BlockMeasurement measurement(measurer, settingsFor(5), notes, {}, clock);
    const BlockResult result = measurement.run();
    QVERIFY(result.end == BlockEnd::Failed);
    QVERIFY(result.reason.find("measure for longer") != std::string::npos);
  }

  void theTimeLeftCountsDownByWhatRepeatsTook() {
    HandClock clock;
    FakeMeasurer measurer(clock);
    BlockNotes notes;
    BlockSettings settings = settingsFor(2);
    settings.secondsPerRepeat = 7;
    BlockMeasurement measurement(measurer, settings, notes, {}, clock);
    measurement.run();
    QCOMPARE(notes.steps.size(), std::size_t{4});
    QCOMPARE(notes.steps[0].secondsLeft, 28.0);
    QCOMPARE(notes.steps[1].secondsLeft, 6.0);
    QCOMPARE(notes.steps[3].secondsLeft, 2.0);
    QCOMPARE(notes.steps[2].block, std::size_t{1});
    QCOMPARE(notes.steps[2].of, std::size_t{2});
  }

  void fiveMoreBlocksAreWantedWhereTheFirstFiveLeaveItOpen() {
    // log ratios 0.03, -0.01, 0.02, 0.015, -0.005: p is 0.25 (SciPy's ttest_1samp).
    MeasuredBlocks open;
    for (const double ratio : {0.03, -0.01, 0.02, 0.015, -0.005})
      open.blocks.push_back(blockOf(1000, 1000 * std::exp(ratio)));
    QCOMPARE(blocksWanted({}, open), std::size_t{10});
    QCOMPARE(blocksWanted({5, 0}, open), std::size_t{5});
    MeasuredBlocks clear;
    for (const double ratio : {0.05, 0.052, 0.049, 0.051, 0.05})
      clear.blocks.push_back(blockOf(1000, 1000 * std::exp(ratio)));
    QCOMPARE(blocksWanted({}, clear), std::size_t{5});
    MeasuredBlocks few;
    few.blocks = {blockOf(1, 1), blockOf(1, 2)};
    QCOMPARE(blocksWanted({}, few), std::size_t{5});
    QCOMPARE(blocksWanted({2, 0}, few), std::size_t{2});
    while (open.blocks.size() < 7) open.blocks.push_back(blockOf(1000, 1000));
    QCOMPARE(blocksWanted({}, open), std::size_t{10});
    while (open.blocks.size() < 10) open.blocks.push_back(blockOf(1000, 1000));
    QCOMPARE(blocksWanted({}, open), std::size_t{10});
  }
};

}  // namespace millrace

using millrace::TestBlockMeasurement;
MILLRACE_TEST_CASE(TestBlockMeasurement)
#include "tst_block_measurement.moc"
