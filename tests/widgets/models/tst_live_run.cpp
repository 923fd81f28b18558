// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#live-figures, #what-limits-a-run, #charts: the state of a run, built from the
// lines of a recorded stream. Expected figures were taken from those lines by a few lines of
// Python.
#include "widgets/models/live/live_run.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "widgets/models/live/node_run.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

using Fed = tests::RecordedRun;

class TestLiveRun : public QObject {
  Q_OBJECT
 private slots:
  void timesHaveAUnitThatSuitsThem() {
    const auto shown = [](double milliseconds) {
      return shownMs(milliseconds).replace(QChar(0xA0), ' ');
    };
    QCOMPARE(shown(0), QString("0.00 ms"));
    QCOMPARE(shown(0.000801), QString("0.80 µs"));
    QCOMPARE(shown(0.0021), QString("2.1 µs"));
    QCOMPARE(shown(0.04), QString("40 µs"));
    QCOMPARE(shown(0.41), QString("0.41 ms"));
    QCOMPARE(shown(1234), QString("1 234 ms"));
    QCOMPARE(shown(1e-6), QString("< 0.01 µs"));
  }

  void aRunIsPreparingBeforeItsFirstEvent() {
    LiveRun run;
    QCOMPARE(run.state(), LiveRun::State::None);
    run.begin("demo", {2, 5, 3}, {});
    QCOMPARE(run.state(), LiveRun::State::Preparing);
    QCOMPARE(run.phaseText(), QString("preparing"));
    QCOMPARE(run.repeats().size(), 3U);
    QCOMPARE(*run.secondsLeft(), 21.0);
    QVERIFY(overlayOf(run).nodes.empty());
  }

  void theStripShowsEachRepeatWithItsWarmup() {
    Fed fed(Fed::isMeasured);
    QCOMPARE(fed.run.state(), LiveRun::State::Measuring);
    const auto repeats = fed.run.repeats();
    QCOMPARE(repeats.size(), 2U);
    QCOMPARE(repeats[0].warmupDone, 1.0);
    QCOMPARE(repeats[0].measuredDone, 0.0);
    QCOMPARE(repeats[1].warmupDone, 0.0);
    QVERIFY(std::abs(*fed.run.secondsLeft() - 7) < 0.01);
    QCOMPARE(fed.run.phaseText(), QString("repeat 1 of 2, measuring 0 of 3 s"));
  }

  void epochsHaveAProgressAndATimeLeftOnceTheirRateIsKnown() {
    LiveRun run;
    MeasureChoice measure{1, 5, 3};
    measure.epochs = 2;
    run.begin("p", measure, {});
    const auto take = [&run](double time, auto content) {
      StreamEvent event;
      event.time = time;
      event.content = std::move(content);
      run.take(event);
    };
    const auto phase = [](std::size_t repeat, bool warmup, double left) {
      return RunPhase{.repeat = repeat, .repeats = 3, .warmup = warmup, .secondsLeft = left};
    };
    const auto snapshot = [&](double left) {
      SnapshotEvent made;
      made.phase = phase(0, false, left);
      return made;
    };
    take(10, phase(0, false, 0));
    QVERIFY(!run.secondsLeft());
    QCOMPARE(run.phaseText(), QString("repeat 1 of 3, measuring epoch 1 of 2"));
    take(12, snapshot(6));
    QCOMPARE(run.phaseText(), QString("repeat 1 of 3, measuring epoch 1 of 2"));
    QCOMPARE(run.repeats()[0].measuredDone, run.repeats()[0].measuredSeconds / 4);
    // The rest of this repeat, and two more with a warm-up of a second.
    QCOMPARE(*run.secondsLeft(), 6.0 + 2 * (1 + 8));
    take(14, snapshot(4));
    QCOMPARE(run.phaseText(), QString("repeat 1 of 3, measuring epoch 2 of 2"));
  }

  void waitingForTheCoresIsShownUntilTheRepeatBegins() {
    LiveRun run;
    run.begin("p", {1, 3, 3}, {});
    StreamEvent event;
    event.content = WaitingEvent{{.repeat = 0, .repeats = 3, .secondsLeft = 10}};
    run.take(event);
    QVERIFY(run.phaseText().startsWith("waiting up to 10 s"));
    event.content = RunPhase{.repeat = 0, .repeats = 3, .warmup = true, .secondsLeft = 1};
    run.take(event);
    QVERIFY(run.phaseText().startsWith("repeat 1 of 3"));
  }

  void figuresOfTheLastSecondAreDifferencesOfSnapshots() {
    Fed fed;
    const LiveSpan span = fed.run.latest();
    QVERIFY(span.seconds > 0.7 && span.seconds < 1.1);
    const LiveSpan::Node* step = span.node("step");
    QVERIFY(step != nullptr);
    QVERIFY(std::abs(1000 * *step->busySeconds / step->items - 60) < 1);
    QVERIFY(span.samplesPerSecond() > 230 && span.samplesPerSecond() < 290);
    QCOMPARE(span.coreShares.size(), 2U);
    QVERIFY(span.queue("prefetch")->fullShare() > 0.8);
  }

  void aSpanOverTwoRepeatsIsOfWhatWasMeasuredInThem() {
    Fed fed;
    const LiveSpan all = fed.run.between({0, fed.run.now()});
    // Without the warm-ups, in which 512 samples came, and without the gap between the repeats.
    QCOMPARE(all.samples, 1472.0);
    QVERIFY(all.seconds > 5.5 && all.seconds < 6.1);
    QVERIFY(fed.run.between(fed.run.warmups().front()).samples > 0);
    QCOMPARE(fed.run.between({0, 1}).seconds, 0.0);
  }

  void theMedianCoversAllWindowsAndTheBandTheRepeatsMeans() {
    Fed fed;
    const auto& median = fed.run.median().points();
    QVERIFY(std::abs(median.back().value - 261.4918932436925) < 1e-6);
    const double low = fed.run.bandLow().points().back().value;
    const double high = fed.run.bandHigh().points().back().value;
    QVERIFY2(std::abs(low - 260.39) < 0.3 && std::abs(high - 262.73) < 0.3,
             qPrintable(QString("%1 %2").arg(low).arg(high)));
  }

  void warmupsAreMarkedAndTheLineHasAGapBetweenRepeats() {
    Fed fed;
    QCOMPARE(fed.run.warmups().size(), 2U);
    for (const TimeSpan& span : fed.run.warmups())
      QVERIFY(span.to - span.from > 0.9 && span.to - span.from < 1.2);
    const auto& points = fed.run.windowRates().points();
    const auto gaps =
        std::ranges::count_if(points, [](const auto& point) { return std::isnan(point.value); });
    QCOMPARE(gaps, 1);
  }

  void aFusedNodePointsToTheNodeThatShowsItsWork() {
    Fed fed;
    const RunOverlay overlay = overlayOf(fed.run);
    QCOMPARE(overlay.nodes.at("flip").instead, QString("in Decode"));
    QVERIFY(overlay.nodes.at("flip").rate.isEmpty());
    QVERIFY(overlay.nodes.at("decode").share > 0);
    QVERIFY(overlay.nodes.at("decode").mean.endsWith("ms"));
    QVERIFY(overlay.nodes.at("decode").details.contains("busy"));
  }

  void theHeadOfARegionTellsWhatItsThreadsDid() {
    Fed fed;
    const RunOverlay overlay = overlayOf(fed.run);
    QVERIFY(!overlay.regions.empty());
    for (const auto& [id, region] : overlay.regions)
      if (const auto head = overlay.nodes.find(id); head != overlay.nodes.end()) {
        QVERIFY2(head->second.details.startsWith(region.left), qPrintable(head->second.details));
        QVERIFY2(region.left.contains("busy"), qPrintable(region.left));
      }
    QVERIFY2(!overlay.nodes.at("workers").details.contains("not timed"),
             qPrintable(overlay.nodes.at("workers").details));
  }

  void everyNodeHasAStripAlsoWithoutATimeOfItsOwn() {
    Fed fed;
    for (int i = 0; i < 2; ++i) {
      const RunOverlay overlay = overlayOf(fed.run);
      for (const char* id : {"shuffle", "batch", "prefetch"}) {
        const NodeOverlay& strip = overlay.nodes.at(id);
        QVERIFY2(!strip.rate.isEmpty() && !strip.rate.startsWith("0"), id);
        QCOMPARE(strip.mean, QString("not") + QChar(0xA0) + "timed");
        QCOMPARE(strip.share, 0.0);
        QCOMPARE(strip.shareText, QString("–"));
      }
      // What leaves the queue are the batches that the step gets.
      QCOMPARE(overlay.nodes.at("prefetch").rate, overlay.nodes.at("step").rate);
      fed.run.finish({});
    }
  }

  void readingCountsInTheFirstStage() {
    Fed fed;
    QCOMPARE(fed.run.stageOf("image_folder")->id, std::string("workers"));
    const QString head = overlayOf(fed.run).regions.at("workers").left;
    QVERIFY2(head.contains("threads, busy"), qPrintable(head));
    QVERIFY(overlayOf(fed.run).regions.at("workers").right.contains("wall clock"));
  }

  void aGroupShowsWallClockTimeAndNoSum() {
    Fed fed;
    const RunOverlay overlay = overlayOf(fed.run);
    const LiveSpan span = fed.run.latest();
    const auto alone = [&](const char* node) {
      const double threads = static_cast<double>(fed.run.stageOf(node)->threads);
      return 1000 * *span.node(node)->busySeconds / (threads * span.samples);
    };
    const auto isAbout = [](double ms, double wanted) { return std::abs(ms - wanted) < 1e-9; };
    QVERIFY(alone("image_folder") > 0 && alone("decode") > 0);
    // A step of 60 ms for 16 samples.
    QVERIFY(std::abs(alone("step") - 3.75) < 0.3);
    // Two nodes of the same threads run one after the other; a fused node counts where it is shown.
    QVERIFY(isAbout(wallClockMs(overlay, {"image_folder", "decode", "flip"}),
                    alone("image_folder") + alone("decode")));
    // Those of two stages work at the same time.
    QVERIFY(isAbout(wallClockMs(overlay, {"decode", "step"}),
                    std::max(alone("decode"), alone("step"))));
    // A region's head shows all the work of its threads.
    QVERIFY(isAbout(wallClockMs(overlay, {"workers", "decode"}),
                    alone("image_folder") + alone("decode")));
    QCOMPARE(wallClockMs(overlay, {"flip"}), -1.0);
    QCOMPARE(wallClockMs(overlay, {"shuffle", "unknown"}), -1.0);
    QCOMPARE(wallClockMs({}, {"decode"}), -1.0);
  }

  void neverMoreThanOneRing() {
    Fed fed([](const QByteArray&) { return true; });
    int rings = 0;
    for (std::size_t line = 0; line < 1000; ++line) {
      fed.feedTo([](const QByteArray&) { return true; });
      const RunOverlay overlay = overlayOf(fed.run);
      const auto now =
          std::ranges::count_if(overlay.nodes, [](const auto& node) { return node.second.ring; });
      QVERIFY(now <= 1);
      rings += static_cast<int>(now);
    }
    QVERIFY(rings > 0);
  }

  void fullQueuesRingTheStep() {
    Fed fed;
    QCOMPARE(fed.run.finding().kind, LiveFinding::Kind::Consumer);
    const RunOverlay overlay = overlayOf(fed.run);
    QVERIFY(overlay.nodes.at("step").ring);
    QVERIFY(!overlay.nodes.at("decode").ring);
    QVERIFY2(!overlay.queues.at("prefetch").limits, "a loader that keeps up is no fault");
    QCOMPARE(overlay.queues.at("prefetch").shortText.section('/', 1), QString("2"));
    QVERIFY(overlay.nodes.at("step").keepsUp && fed.run.keepsUp());
    QVERIFY2(overlay.queues.at("prefetch").text.contains("of" + QString(QChar(0xA0)) + "2,"),
             qPrintable(overlay.queues.at("prefetch").text));
  }

  void afterTheStopValuesStayGreyedWithTheRunsNumber() {
    Fed fed;
    const RunOverlay live = overlayOf(fed.run);
    QVERIFY(!live.over);
    fed.run.finish({ChildEnd::Kind::Stopped, {}, {}, {}});
    const RunOverlay over = overlayOf(fed.run);
    QVERIFY(over.over);
    QCOMPARE(over.label, QString("RUN") + QChar(0xA0) + "42");
    for (const auto& [id, node] : live.nodes)
      QCOMPARE(over.nodes.at(id).rate.isEmpty(), node.rate.isEmpty());
    QCOMPARE(over.nodes.size(), live.nodes.size());
    QCOMPARE(fed.run.phaseText(), QString("stopped"));
    QVERIFY(!fed.run.secondsLeft());
  }

  /// A locked store delays the end of a run.
  void aLateResultRemovesNoValues() {
    Fed late({}, [](QByteArray line) {
      if (Fed::isResult(line)) line.replace("\"time\":15951.", "\"time\":15981.");
      return line;
    });
    QVERIFY(late.run.result().has_value());
    late.run.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    const RunOverlay over = overlayOf(late.run);
    QVERIFY(!over.nodes.at("decode").rate.isEmpty());
    QVERIFY(over.nodes.at("step").ring);
  }

  void nodesThatPassTheRunsSamplesShowTheRunsRate() {
    // A few samples of each node's own count are in flight where the span begins and ends.
    Fed fed;
    const auto ratesAre = [&fed](double samples, double batches) {
      const RunOverlay overlay = overlayOf(fed.run);
      const QString perSecond = QChar(0xA0) + QString("/s");
      for (const char* id : {"shuffle", "workers", "decode"})
        if (overlay.nodes.at(id).rate != shownRate(samples) + perSecond) return false;
      for (const char* id : {"batch", "prefetch", "step"})
        if (overlay.nodes.at(id).rate != shownRate(batches) + perSecond) return false;
      return true;
    };
    const LiveSpan live = fed.run.shown();
    QVERIFY(ratesAre(live.samplesPerSecond(), live.batches / live.seconds));
    fed.run.finish({});
    const LiveSpan whole = fed.run.shown();
    QVERIFY(ratesAre(*fed.run.rate(), whole.batches / whole.seconds));
  }

  void afterTheEndEveryFigureIsOfTheWholeRun() {
    Fed fed;
    fed.run.finish({});
    QVERIFY(fed.run.rate());
    const SpanFigures& figures = fed.run.result()->result.figures;
    QCOMPARE(*fed.run.rate(), *figures.samplesPerSecond.mean);
    QVERIFY(std::abs(fed.run.measured().samplesPerSecond() - *fed.run.rate()) < 1e-9);
    const LiveSpan span = fed.run.shown();
    const RunOverlay overlay = overlayOf(fed.run);
    for (const NodeFigures& node : figures.nodes) {
      if (!node.busySeconds) continue;
      const NodeOverlay& shown = overlay.nodes.at(node.id);
      QCOMPARE(shown.mean, shownMs(1000 * *node.busySeconds / static_cast<double>(*node.items)));
      QCOMPARE(*span.node(node.id)->busySeconds, *node.busySeconds);
    }
    QCOMPARE(span.queue("prefetch")->fullShare(), *figures.queues.front().fullShare);
    QCOMPARE(span.coreShares.size(), 2U);
  }

  void whatLimitsACompletedRunIsOfTheWholeRun() {
    // In the last seconds the queue is empty; over the whole run it is full.
    Fed fed({}, [](QByteArray line) {
      if (!Fed::isResult(line)) line.replace("full_seconds", "x").replace("empty_seconds", "y");
      return line;
    });
    QCOMPARE(fed.run.finding().kind, LiveFinding::Kind::CannotTell);
    fed.run.finish({});
    const LiveFinding found = fed.run.finding();
    QCOMPARE(found.kind, LiveFinding::Kind::Consumer);
    const double share = *fed.run.result()->result.figures.queues.front().fullShare;
    QCOMPARE(found.evidence.back().share, share);
    QVERIFY(overlayOf(fed.run).nodes.at("step").ring);
  }

  void aNodesFiguresAreThoseOfTheCanvas() {
    Fed fed;
    fed.run.finish({});
    const RunOverlay overlay = overlayOf(fed.run);
    const auto value = [](const NodeRun& ran, const QString& name) {
      for (const auto& [key, text] : ran.rows)
        if (key == name) return text;
      return QString();
    };
    const auto step = nodeRunOf(fed.run, "step");
    QVERIFY(step);
    QCOMPARE(step->heading, QString("Run 42"));
    QCOMPARE(value(*step, "Rate"),
             QString(overlay.nodes.at("step").rate).replace("/s", "batches/s"));
    QVERIFY(value(*nodeRunOf(fed.run, "decode"), "Rate").endsWith("samples/s"));
    QVERIFY(value(*step, "Time each").startsWith(overlay.nodes.at("step").mean));
    QVERIFY(value(*step, "Busy").startsWith(overlay.nodes.at("step").shareText));
    QCOMPARE(value(*step, "Queue before"), overlay.queues.at("prefetch").text);
    QCOMPARE(value(*nodeRunOf(fed.run, "decode"), "Queue after"),
             overlay.queues.at("prefetch").text);
    QCOMPARE(value(*nodeRunOf(fed.run, "prefetch"), "Queue"), overlay.queues.at("prefetch").text);
    QVERIFY(nodeRunOf(fed.run, "flip")->note.contains("Decode"));
    QVERIFY(!nodeRunOf(fed.run, "shuffle")->note.isEmpty());
    QVERIFY(nodeRunOf(fed.run, "workers")->rows.size() >= 2);
    QVERIFY(!nodeRunOf(fed.run, "nowhere"));
  }

  /// Old snapshots are thinned, and the figures of a span stay the same.
  void figuresOfALongRunAreKnownForEveryPartOfIt() {
    LiveRun run;
    run.begin("demo", {0, 600, 1}, {});
    run.take({0, RunPhase{0, 1, false, 600}});
    for (int i = 0; i <= 5 * 600; ++i) {
      SnapshotEvent snapshot;
      snapshot.seconds = i * 0.2;
      snapshot.samples = static_cast<std::uint64_t>(i) * 20;
      run.take({i * 0.2, snapshot});
    }
    const LiveSpan early = run.between({100, 200});
    QVERIFY(std::abs(early.samplesPerSecond() - 100) < 1e-6);
    QVERIFY(early.seconds > 98 && early.seconds < 100.1);
    QCOMPARE(run.began(), 0.0);
  }

  void sharesAreOfAllRepeatsAlsoIfSomeDoNotCount() {
    SpanFigures figures;
    figures.samples = 100;
    figures.seconds = 10;
    figures.samplesPerSecond.mean = 20;  // Without a slow, disturbed repeat.
    const LiveSpan span = spanOf(figures);
    QCOMPARE(span.samplesPerSecond(), 20.0);
    QCOMPARE(span.countedSeconds, 10.0);
  }

  void aFinishedRunHasFilledItsStrip() {
    Fed fed;
    QVERIFY(fed.run.result().has_value());
    fed.run.finish({});
    for (const RepeatProgress& repeat : fed.run.repeats())
      QCOMPARE(repeat.measuredDone, repeat.measuredSeconds);
    QCOMPARE(fed.run.phaseText(), QString("done"));
  }

  void anotherRunStartsFromNothing() {
    Fed fed;
    fed.run.finish({});
    fed.run.begin("other", {1, 1, 1}, {});
    QVERIFY(fed.run.windowRates().points().empty());
    QVERIFY(!fed.run.result() && !fed.run.end() && fed.run.warmups().empty());
    QCOMPARE(fed.run.label(), QString("Run"));
  }

  void theRunningMedianIsTheMedian() {
    RunningMedian running;
    std::vector<double> values;
    for (const double value : {5.0, 1.0, 4.0, 4.0, 9.0, -2.0, 7.0, 0.5}) {
      values.push_back(value);
      running.add(value);
      QCOMPARE(running.value(), *median(values));
    }
  }

  /// A stream with false times, or a flood, takes neither unbounded memory nor unbounded time.
  void memoryIsBoundedForAnyStream() {
    Fed fed;
    StreamEvent snapshot{fed.run.now(), SnapshotEvent{}};
    StreamEvent window{fed.run.now(), WindowEvent{0, {0, 1, 100, 10}}};
    StreamEvent repeat{fed.run.now(), WindowEvent{123456789, {0, 1, 100, 10}}};
    for (int i = 0; i < 20000; ++i)
      for (const StreamEvent* event : {&snapshot, &window, &repeat}) fed.run.take(*event);
    QVERIFY(fed.run.windowRates().points().size() <= TimeSeries::kMostKept);
    QCOMPARE(fed.run.median().points().back().value, 100.0);
    fed.run.take({fed.run.now(), RunPhase{std::size_t{1} << 40U, std::size_t{1} << 50U, true, 1}});
    QVERIFY(fed.run.repeats().size() <= 1000);
    QVERIFY(fed.run.secondsLeft().has_value());
  }

  void eventsAfterTheEndChangeNothing() {
    Fed fed;
    fed.run.finish({});
    const double now = fed.run.now();
    fed.run.take({now + 100, RunPhase{}});
    QCOMPARE(fed.run.now(), now);
  }
};

}  // namespace millrace

using millrace::TestLiveRun;
MILLRACE_TEST_CASE(TestLiveRun)
#include "tst_live_run.moc"
