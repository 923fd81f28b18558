// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/span_figures.h"

#include <cmath>

#include "core/measure/store_figures.h"

#include <chrono>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestSpanFigures : public QObject {
  Q_OBJECT

  static SpanEdge edge(const Plan& plan) {
    SpanEdge edge;
    edge.totals.nodes.resize(plan.pipeline.nodes.size());
    edge.totals.stages.resize(plan.stages.size());
    edge.totals.queues.resize(plan.queues.size());
    return edge;
  }
  static Plan plan() {
    return tests::planOf(
               "synthetic {\"content\": \"image\"}\nshuffle\nworkers {\"count\": 2}\n"
               "resize\nflip\nbatch {\"size\": 10}\nprefetch\ndrain")
        .take();
  }
  static bool near(double value, double wanted) { return std::abs(value - wanted) < 1e-9; }

 private slots:
  void figuresAreDifferencesOfTheEdges() {
    const Plan made = plan();
    SpanEdge begin = edge(made);
    begin.totals.samples = 100;
    begin.totals.batches = 10;
    begin.totals.readBytes = 1000;
    SpanEdge end = begin;
    end.totals.samples = 600;
    end.totals.batches = 60;
    end.totals.readBytes = 6000;
    const SpanFigures span = figuresBetween(made, begin, end, 2.5, {}, {});
    QCOMPARE(span.samples, 500U);
    QCOMPARE(span.batches, 50U);
    QVERIFY(near(*span.samplesPerSecond.mean, 200));
    QVERIFY(near(*span.batchesPerSecond.mean, 20));
    QVERIFY(near(*span.inputBytesPerSecond, 2000));
    QVERIFY(!span.stepShare && !span.waitP95Ms && !span.readLatencyMs);
  }

  void waitsAreAPercentileInMilliseconds() {
    const Plan made = plan();
    Histogram waits;
    waits.counts[Histogram::bucketOf(10'000'000)] = 96;
    waits.counts[Histogram::bucketOf(900'000'000)] = 4;
    SpanFigures span = figuresBetween(made, edge(made), edge(made), 1, {}, waits);
    // Within a bucket of the histogram.
    QVERIFY(*span.waitP95Ms > 8 && *span.waitP95Ms < 12);
    waits.counts[Histogram::bucketOf(900'000'000)] = 10;
    span = figuresBetween(made, edge(made), edge(made), 1, {}, waits);
    QVERIFY(*span.waitP95Ms > 700 && *span.waitP95Ms < 1100);
  }

  void cpuTimeIsPerThousandSamples() {
    const Plan made = plan();
    SpanEdge begin = edge(made);
    begin.host.cpuSeconds = 3;
    SpanEdge end = begin;
    end.host.cpuSeconds = 5;
    end.totals.samples = 500;
    const SpanFigures span = figuresBetween(made, begin, end, 1, {}, {});
    QVERIFY(near(*span.cpuSecondsPer1000Samples, 4));
  }

  void otherProgramsShareIsKnownOfLongEnoughSpans() {
    const Plan made = plan();
    const auto shareOver = [&](std::chrono::milliseconds length) {
      SpanEdge begin = edge(made);
      begin.host.machine.emplace();
      SpanEdge end = begin;
      end.host.time += length;
      end.host.machine->all.user = 0.1;
      end.host.machine->all.idle = 0.1;
      return figuresBetween(made, begin, end, 1, {}, {}).otherBusyShare;
    };
    QCOMPARE(shareOver(std::chrono::milliseconds(500)), std::optional<double>(0.5));
    QVERIFY(!shareOver(std::chrono::milliseconds(300)));
  }

  void nodesShowTheirOwnWorkAndFusedOnesWhereItIsShown() {
    const Plan made = plan();
    const SpanEdge begin = edge(made);
    SpanEdge end = begin;
    end.totals.samples = 500;
    end.totals.batches = 50;
    NodeTotals& resize = end.totals.nodes[3];
    resize.items = 500;
    resize.timedItems = 50;
    resize.timedNs = 100'000'000;
    const SpanFigures span = figuresBetween(made, begin, end, 1, {}, {});
    QVERIFY(near(*span.nodes[3].busySeconds, 1.0));
    QVERIFY(near(*span.nodes[3].meanMs, 2.0));
    QCOMPARE(*span.nodes[4].fusedInto, std::string("resize"));
    QVERIFY(!span.nodes[4].items && !span.nodes[4].busySeconds);
    QCOMPARE(*span.nodes[1].items, 500U);
    QCOMPARE(*span.nodes[6].items, 50U);
    QVERIFY(!span.nodes[0].busySeconds);
  }

  void cpuTimeIsSharedByBusyTime() {
    const Plan made = plan();
    const SpanEdge begin = edge(made);
    SpanEdge end = begin;
    for (const std::size_t node : {0, 3}) {
      end.totals.nodes[node].items = end.totals.nodes[node].timedItems = 1;
      end.totals.nodes[node].timedNs = node == 0 ? 1'000'000'000 : 3'000'000'000;
    }
    end.totals.stages[0].cpuNs = 2'000'000'000;
    const SpanFigures span = figuresBetween(made, begin, end, 1, {}, {});
    QVERIFY(near(*span.nodes[0].cpuSeconds, 0.5));
    QVERIFY(near(*span.nodes[3].cpuSeconds, 1.5));
  }

  void timeBetweenNodesIsWhatTheNodesLeave() {
    const Plan made = plan();
    const SpanEdge begin = edge(made);
    SpanEdge end = begin;
    end.totals.stages[0].sampleSeconds = 5;
    end.totals.nodes[3].items = end.totals.nodes[3].timedItems = 1;
    end.totals.nodes[3].timedNs = 4'000'000'000;
    const SpanFigures span = figuresBetween(made, begin, end, 1, {}, {});
    QVERIFY(near(*span.stages[0].betweenSeconds, 1.0));
    QVERIFY(!span.stages[1].betweenSeconds);
  }

  void theStepsShareNeedsAStep() {
    const Plan made = plan();
    const SpanEdge begin = edge(made);
    SpanEdge end = begin;
    end.totals.stepSeconds = 3;
    end.totals.nominalStepSeconds = 2.5;
    const SpanFigures span = figuresBetween(made, begin, end, 4, {}, {});
    QVERIFY(near(*span.stepShare, 0.75));
    QVERIFY(near(*span.stepOverNominal, 1.2));
  }

  void percentilesNeedFiveWindows() {
    QVERIFY(!rateOver(10, {1, 2, 3, 4}).median);
    const RateFigures rate = rateOver(10, {1, 2, 3, 4, 5});
    QCOMPARE(*rate.median, 3.0);
    QVERIFY(*rate.p05 < *rate.p95);
    QCOMPARE(rate.windows, std::size_t{5});
  }

  void repeatsAddUpAndTheirRatesGiveTheInterval() {
    const Plan made = plan();
    std::vector<SpanFigures> repeats;
    for (const std::uint64_t samples : {100, 110, 120}) {
      const SpanEdge begin = edge(made);
      SpanEdge end = begin;
      end.totals.samples = samples;
      end.totals.nodes[3].failed = samples / 50;
      end.totals.nodes[3].items = end.totals.nodes[3].timedItems = samples;
      end.totals.nodes[3].timedNs = samples * 1'000'000;
      repeats.push_back(figuresBetween(made, begin, end, 1, {}, {}));
    }
    const SpanFigures all = combineRepeats(repeats);
    QCOMPARE(all.samples, 330U);
    QCOMPARE(all.seconds, 3.0);
    QCOMPARE(all.failedSamples, 6U);
    QVERIFY(near(*all.samplesPerSecond.mean, std::cbrt(100.0 * 110 * 120)));
    QVERIFY(*all.samplesPerSecond.ci95Low < 110 && *all.samplesPerSecond.ci95High > 110);
    QCOMPARE(*all.nodes[3].items, 330U);
    QVERIFY(near(*all.nodes[3].meanMs, 1.0));
    QVERIFY(!combineRepeats({repeats[0], repeats[1]}).samplesPerSecond.ci95Low);
    QCOMPARE(combineRepeats({}).samples, 0U);
  }

  void aDisturbedRepeatDoesNotCountInTheRateOfARun() {
    const auto repeat = [](double rate, double others) {
      SpanFigures figures;
      figures.samples = 10;
      figures.samplesPerSecond.mean = rate;
      figures.otherBusyShare = others;
      return figures;
    };
    const std::vector<SpanFigures> one = {repeat(100, 0), repeat(20, 0.5), repeat(400, 0.01)};
    const SpanFigures figures = figuresOfRun(one);
    QVERIFY(near(*figures.samplesPerSecond.mean, 200));
    QCOMPARE(figures.samples, 30U);
    RunResult result;
    result.repeats = one;
    QCOMPARE(QString::fromStdString(leftOutText(result)),
             "1 of 3 repeats (other programs took 50 % of the cores)");
    result.repeats.push_back(repeat(10, 0.7));
    QCOMPARE(QString::fromStdString(leftOutText(result)),
             "2 of 4 repeats (repeat 2: other programs took 50 % of the cores)");
    result.inBlocks = true;
    QCOMPARE(leftOutText(result), std::string());
    result.inBlocks = false;
    const std::vector<SpanFigures> all = {repeat(100, 0.4), repeat(25, 0.5)};
    QVERIFY(near(*figuresOfRun(all).samplesPerSecond.mean, 50));
    result.repeats = all;
    QCOMPARE(leftOutText(result), std::string());
  }
};

}  // namespace millrace

using millrace::TestSpanFigures;
MILLRACE_TEST_CASE(TestSpanFigures)
#include "tst_span_figures.moc"
