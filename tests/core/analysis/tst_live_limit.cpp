// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/live_limit.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Kind = LiveFinding::Kind;

LiveLayout layout() {
  return {{{"workers", 2, {"folder", "decode", "flip"}}, {"step", 1, {"step"}}}, {"prefetch"}};
}

/// A run that is fed in steps of a fifth of a second, given as shares of that time.
class Feed {
 public:
  explicit Feed(LiveLayout layout = millrace::layout()) : limit(std::move(layout)) {}

  void forSeconds(double seconds, double empty, double full, double decode = 1.9,
                  double flip = 0.1) {
    constexpr double kTick = 0.2;
    for (int i = 0; i < static_cast<int>(seconds / kTick + 0.5); ++i) {
      totals.seconds += kTick;
      totals.queues[0].emptySeconds += kTick * empty;
      totals.queues[0].fullSeconds += kTick * full;
      totals.nodes[0].busySeconds += kTick * decode;
      totals.nodes[1].busySeconds += kTick * flip;
      totals.nodes[2].busySeconds += kTick * (1 - empty);
      limit.add(totals);
    }
  }
  void nextRepeat() { totals = fresh(); }
  const LiveFinding& found() const { return limit.finding(); }

  static LiveTotals fresh() {
    return {0, {{"prefetch", 0, 0}}, {{"decode", 0}, {"flip", 0}, {"step", 0}}};
  }
  LiveLimit limit;
  LiveTotals totals = fresh();
};

}  // namespace

class TestLiveLimit : public QObject {
  Q_OBJECT
 private slots:
  void saysNothingBeforeThreeSeconds() {
    Feed feed;
    feed.forSeconds(2.8, 1, 0);
    QCOMPARE(feed.found().kind, Kind::Waiting);
    QVERIFY(feed.found().evidence.empty());
    feed.forSeconds(0.4, 1, 0);
    QCOMPARE(feed.found().kind, Kind::Region);
  }

  void aShortRunIsJudgedWhenItIsOver() {
    LiveTotals totals = Feed::fresh();
    totals.seconds = 2;
    totals.queues[0].emptySeconds = 1.9;
    totals.nodes[0].busySeconds = 3.6;
    const LiveFinding found = LiveLimit::ofWholeRun(layout(), totals, 40);
    QCOMPARE(found.kind, Kind::Region);
    QCOMPARE(found.node, std::string("decode"));
    QCOMPARE(LiveLimit::ofWholeRun(layout(), totals, 4).kind, Kind::Waiting);
    totals.seconds = 0.1;
    QCOMPARE(LiveLimit::ofWholeRun(layout(), totals, 40).kind, Kind::Waiting);
  }

  /// Without workers the consumer's thread does everything: the busy times tell what limits it.
  void withOneThreadTheLongestWorkLimits() {
    const LiveLayout alone{{{"step", 1, {"folder", "decode", "step"}}}, {}};
    const auto found = [&](double decode, double step) {
      const LiveTotals totals{10, {}, {{"folder", 0.2}, {"decode", decode}, {"step", step}}};
      return LiveLimit::ofWholeRun(alone, totals, 100);
    };
    const LiveFinding loader = found(9.2, 0.1);
    QCOMPARE(loader.kind, Kind::Region);
    QCOMPARE(loader.node, std::string("decode"));
    QCOMPARE(loader.stage, std::string("step"));
    QCOMPARE(sentenceOf(loader.evidence[0], "Decode"),
             std::string("Decode is busy 92 % of the time, on 1 thread."));
    QVERIFY(sentenceOf(loader.evidence[1], "").find("Add Workers and Prefetch") !=
            std::string::npos);
    // A short step that takes longer than any other node still is not the limit.
    QCOMPARE(found(2.5, 4.5).node, std::string("decode"));
    const LiveFinding both = found(3, 6.5);
    QCOMPARE(both.kind, Kind::CannotTell);
    QVERIFY(both.node.empty());
    QCOMPARE(sentenceOf(both.evidence[0], "Step"),
             std::string("Step is busy 65 % of the time, on 1 thread."));
    QCOMPARE(found(0.2, 9.6).kind, Kind::Consumer);
  }

  void missingBatchesRingTheBusiestNodeOfTheRegion() {
    Feed feed;
    feed.forSeconds(5, 0.9, 0, 1.8, 0.1);
    QCOMPARE(feed.found().kind, Kind::Region);
    QCOMPARE(feed.found().stage, std::string("workers"));
    QCOMPARE(feed.found().node, std::string("decode"));
    const auto& evidence = feed.found().evidence;
    QCOMPARE(evidence.size(), 3U);
    QCOMPARE(sentenceOf(evidence[0], "Decode"),
             std::string("Decode is busy 90 % of the time, on 2 threads."));
    QCOMPARE(sentenceOf(evidence[1], ""),
             std::string("The queue of finished batches is empty 90 % of the time."));
    QCOMPARE(sentenceOf(evidence[2], "Step"), std::string("Step waits 90 % of the time."));
  }

  void waitingBatchesRingTheConsumer() {
    Feed feed;
    feed.forSeconds(5, 0, 0.95);
    QCOMPARE(feed.found().kind, Kind::Consumer);
    QCOMPARE(feed.found().node, std::string("step"));
    QCOMPARE(sentenceOf(feed.found().evidence[1], ""),
             std::string("The queue of finished batches is full 95 % of the time."));
  }

  /// Exactly 80 % does not decide: the rule says "over".
  void betweenThemItCannotBeTold() {
    Feed feed;
    feed.forSeconds(5, 0.79, 0.21);
    QCOMPARE(feed.found().kind, Kind::CannotTell);
    QVERIFY(feed.found().node.empty());
    QCOMPARE(feed.found().evidence.size(), 3U);
  }

  void aNewFindingReplacesTheOldAfterThreeSecondsOfItsOwn() {
    Feed feed;
    feed.forSeconds(6, 1, 0);
    feed.forSeconds(1.2, 0, 1);  // Now the queue is empty for 76 % of the last 5 s: cannot tell.
    QCOMPARE(feed.found().kind, Kind::Region);
    QVERIFY(feed.found().evidence[1].share > LiveLimit::kDecidingShare);
    feed.forSeconds(2.4, 0, 1);
    QCOMPARE(feed.found().kind, Kind::Region);
    feed.forSeconds(2.6, 0, 1);  // Full for over 80 % since 4.2 s, not yet for 3 s.
    QVERIFY(feed.found().kind != Kind::Consumer);
    feed.forSeconds(1.2, 0, 1);
    QCOMPARE(feed.found().kind, Kind::Consumer);
  }

  void aShortDipMovesNothing() {
    Feed feed;
    feed.forSeconds(6, 1, 0);
    feed.forSeconds(1.4, 0, 1);
    feed.forSeconds(8, 1, 0);
    QCOMPARE(feed.found().kind, Kind::Region);
    feed.forSeconds(1.4, 0, 1);
    QCOMPARE(feed.found().kind, Kind::Region);
  }

  void anotherBusiestNodeMovesTheRing() {
    Feed feed;
    feed.forSeconds(6, 1, 0);
    feed.forSeconds(3, 1, 0, 0.1, 1.9);
    QCOMPARE(feed.found().node, std::string("decode"));
    feed.forSeconds(4, 1, 0, 0.1, 1.9);
    QCOMPARE(feed.found().node, std::string("flip"));
  }

  void aRepeatThatBeginsAtZeroGoesOnWithWhatWasSeen() {
    Feed feed;
    feed.forSeconds(4, 1, 0);
    feed.nextRepeat();
    feed.forSeconds(1, 1, 0);
    QCOMPARE(feed.found().kind, Kind::Region);
    QVERIFY(feed.found().evidence[0].share <= 1.0);
    QCOMPARE(sentenceOf(feed.found().evidence[0], "Decode"),
             std::string("Decode is busy 95 % of the time, on 2 threads."));
  }

  void aStageWithoutWorkIsNotTheLimitButTheOneInFrontOfIt() {
    LiveLayout two{{{"read", 1, {"folder"}}, {"workers", 2, {"decode"}}, {"step", 1, {"step"}}},
                   {"batches", "prefetch"}};
    LiveLimit limit(two);
    for (int i = 1; i <= 30; ++i) {
      const double s = 0.2 * i;
      limit.add({s,
                 {{"batches", 0.9 * s, 0}, {"prefetch", 0.95 * s, 0}},
                 {{"folder", s}, {"decode", 0.2 * s}, {"step", 0}}});
    }
    QCOMPARE(limit.finding().node, std::string("folder"));
  }

  /// A busy loader without a queue is named after the usual time, with the advice to add one.
  void whileItRunsOneThreadIsJudgedTheSameWay() {
    LiveLimit limit({{{"step", 1, {"decode", "step"}}}, {}});
    for (int i = 1; i <= 14; ++i) limit.add({0.2 * i, {}, {{"decode", 0.2 * i}}});
    QCOMPARE(limit.finding().kind, Kind::Waiting);
    for (int i = 15; i <= 20; ++i) limit.add({0.2 * i, {}, {{"decode", 0.2 * i}}});
    QCOMPARE(limit.finding().node, std::string("decode"));
    QVERIFY(sentenceOf(limit.finding().evidence.at(1), "").find("Prefetch") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestLiveLimit;
MILLRACE_TEST_CASE(TestLiveLimit)
#include "tst_live_limit.moc"
