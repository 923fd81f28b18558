// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/trace_reading.h"

#include <cmath>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Kind = TraceSpan::Kind;

TraceSpan span(Kind kind, std::uint64_t batch, std::uint64_t begin, std::uint64_t end,
               std::size_t node = 0) {
  return {kind, static_cast<std::uint32_t>(node), batch, begin, end};
}

Plan plan() {
  return tests::planOf(
             "synthetic {\"count\": 50}\nworkers {\"count\": 2}\nbatch {\"size\": 8}\n"
             "prefetch\ndrain")
      .take();
}

std::string words(const std::vector<QueueFill::Change>& changes) {
  std::string text;
  for (const QueueFill::Change& change : changes)
    text += std::to_string(change.ns) + ":" + std::to_string(change.fill) + " ";
  return text;
}

}  // namespace

class TestTraceReading : public QObject {
  Q_OBJECT
 private slots:
  void aBatchGoesFromItsWorkerToTheStep() {
    const Plan made = plan();
    RunTrace trace;
    trace.threads = {
        {"workers:0", {span(Kind::Batch, 0, 10, 20), span(Kind::Batch, 2, 50, 60)}, 0},
        {"workers:1", {span(Kind::Batch, 1, 30, 40)}, 0},
        {"drain",
         {span(Kind::WaitForBatch, 0, 0, 22), span(Kind::Node, 0, 23, 24, made.consumer),
          span(Kind::Node, 1, 45, 46, made.consumer)},
         0}};
    const std::vector<BatchPath> paths = batchPaths(made, trace);
    // The third batch never arrived.
    QCOMPARE(paths.size(), std::size_t{2});
    QCOMPARE(paths[1].batch, std::uint64_t{1});
    QCOMPARE(paths[1].points.size(), std::size_t{2});
    QCOMPARE(paths[1].points[0].thread, std::size_t{1});
    QCOMPARE(paths[1].points[1].ns, std::uint64_t{45});
  }

  void aQueueFillsWhenABatchIsFinishedAndEmptiesWhenItIsTaken() {
    const Plan made = plan();
    RunTrace trace;
    trace.threads = {{"workers:0", {span(Kind::Batch, 0, 10, 20), span(Kind::Batch, 2, 30, 35)}, 0},
                     {"workers:1", {span(Kind::Batch, 1, 22, 30), span(Kind::Batch, 3, 50, 55)}, 0},
                     {"drain",
                      {span(Kind::WaitForBatch, 0, 0, 20), span(Kind::WaitForBatch, 2, 40, 41),
                       span(Kind::WaitForBatch, 3, 42, 60)},
                      0}};
    const std::vector<QueueFill> fills = queueFills(made, trace);
    QCOMPARE(fills.size(), std::size_t{1});
    QCOMPARE(fills[0].queue, std::string("prefetch"));
    // Batch 1 has no samples: it leaves silently before batch 2.
    QCOMPARE(words(fills[0].changes), std::string("20:0 30:1 35:2 41:0 55:1 60:0 "));
  }

  void samplesComeInTheOrderInWhichTheyWereBegun() {
    const Plan made = plan();
    const std::size_t source = made.source;
    const auto of = [&](std::uint64_t item, std::uint64_t begin, std::uint64_t end) {
      return span(Kind::Node, item, begin, end, source);
    };
    RunTrace trace;
    trace.threads = {// 7 fails and comes again; the work on a batch belongs to no sample.
                     {"workers:0",
                      {of(7, 10, 12), of(0, 20, 30), span(Kind::Row, 0, 35, 36),
                       span(Kind::Batch, 0, 36, 90), of(9, 100, 104), span(Kind::Row, 9, 104, 105)},
                      0},
                     {"workers:1", {of(1, 15, 18), span(Kind::Row, 1, 18, 20), of(3, 110, 111)}, 0},
                     {"drain", {span(Kind::Node, 0, 40, 90, made.consumer)}, 0}};
    const auto nanoseconds = [&](std::size_t most) {
      std::string text;
      for (const double seconds : sampleSeconds(made, trace, most))
        text += std::to_string(std::lround(1e9 * seconds)) + " ";
      return text;
    };
    QCOMPARE(nanoseconds(10), std::string("5 11 5 "));
    QCOMPARE(nanoseconds(2), std::string("11 5 "));
    trace.threads[1].dropped = 3;  // complete until the end of its last span
    trace.threads[1].spans.resize(2);
    QCOMPARE(nanoseconds(10), std::string("5 "));
  }

  void aQueueIsToldAsFarAsTheTraceIsWhole() {
    const Plan made = plan();
    RunTrace trace;
    trace.threads = {{"workers:0", {span(Kind::Batch, 0, 10, 20)}, 7},
                     {"workers:1", {span(Kind::Batch, 1, 22, 30)}, 0},
                     {"drain", {span(Kind::WaitForBatch, 0, 0, 25)}, 0}};
    QCOMPARE(words(queueFills(made, trace)[0].changes), std::string("20:1 "));
  }

  void overlapIsOfTheMeasuredSpanAndTheShorterPart() {
    RunTrace trace;
    trace.beginNs = 0;
    trace.measuredNs = 1000;
    trace.threads = {{"copies", {span(Kind::Copy, 0, 500, 900), span(Kind::Copy, 1, 900, 1400)}, 0},
                     {"kernels",
                      {span(Kind::Device, 0, 1100, 1300, 1), span(Kind::Device, 0, 1250, 1600, 2)},
                      0}};
    const std::optional<TraceOverlap> overlap = overlapOf(trace);
    QVERIFY(overlap.has_value());
    QCOMPARE(overlap->copySeconds, 400e-9);
    QCOMPARE(overlap->workSeconds, 500e-9);
    QCOMPARE(overlap->bothSeconds, 300e-9);
    QVERIFY(std::abs(overlap->share() - 0.75) < 1e-12);
    trace.threads.pop_back();
    QVERIFY(!overlapOf(trace));
  }
};

}  // namespace millrace

using millrace::TestTraceReading;
MILLRACE_TEST_CASE(TestTraceReading)
#include "tst_trace_reading.moc"
