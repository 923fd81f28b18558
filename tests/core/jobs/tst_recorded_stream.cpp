// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/recorded_stream.h"

#include <algorithm>
#include <cmath>

#include "core/events/stream/event_json.h"
#include "core/jobs/run/recorded_run.h"
#include "core/measure/store_figures.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr double kWarmup = 2;
constexpr double kMeasured = 3;

void expect(const Status& status) {
  if (!status.ok()) qFatal("%s", status.error().message.c_str());
}

NewRun newRun() {
  NewRun run;
  run.pipelineName = "mine.millrace.json";
  run.pipelineJson = R"({"format_version": 1, "nodes": [], "wires": []})";
  run.settings = {{"workers", "count", std::int64_t{4}}};
  return run;
}

/// A repeat of two seconds of warm-up and three windows, as the engine keeps it.
void addRepeat(RunStore& store, RunNumber run, std::int64_t index) {
  const RepeatId repeat = store.beginRepeat(run, index).take();
  std::vector<SeriesPoint> rates;
  std::vector<SeriesPoint> cores;
  std::vector<SeriesPoint> memory;
  std::vector<SeriesPoint> fill;
  for (int i = 1; i <= 10; ++i) {
    const double at = 0.5 * i;
    rates.push_back({at, 100});
    cores.push_back({at, 1.5});
    memory.push_back({at, 1e8 + i});
    fill.push_back({at, i % 2 == 0 ? 4.0 : 2.0});
  }
  expect(store.addSeries(repeat, "samples_per_second", rates));
  expect(store.addSeries(repeat, "process.cpu_share", cores));
  expect(store.addSeries(repeat, "process.rss_bytes", memory));
  expect(store.addSeries(repeat, "queue.fill/prefetch", fill));
  for (int i = 0; i < 3; ++i) expect(store.addWindow(repeat, {double(i), 1, 100 + i, 10}));
  const std::vector<NodeRecord> nodes = {{"source", "image_folder", 300, {}, {}, 1.0, {}, 2.0, {}},
                                         {"workers", "workers", 300, {}, {}, {}, {}, {}, {}},
                                         {"decode", "decode", 300, {}, {}, 2.0, {}, 2.0, {}},
                                         {"flip", "flip", 300, {}, {}, {}, {}, {}, "decode"},
                                         {"batch", "batch", 30, {}, {}, {}, {}, {}, {}},
                                         {"prefetch", "prefetch", 30, {}, {}, {}, {}, {}, {}},
                                         {"drain", "drain", 30, {}, {}, 0.1, {}, 0.1, {}}};
  expect(store.addNodeFigures(repeat, nodes));
  const std::vector<QueueRecord> queues = {
      {"prefetch", "workers", "drain", "batches", 4, 3.0, 0.9, 0.05}};
  expect(store.addQueueFigures(repeat, queues));
  const std::vector<FigureRecord> figures = {
      {"samples_per_second", 101.0}, {"seconds", kMeasured}, {"samples", 303.0}};
  expect(store.finishRepeat(repeat, figures));
}

struct StoredRun {
  tests::TemporaryFolder folder;
  RunStore store = RunStore::open(folder.path() / "runs.db").take();
  RunNumber run = store.beginRun(newRun()).take();
};

template <class Event>
std::vector<std::pair<double, Event>> only(const std::vector<StreamEvent>& events) {
  std::vector<std::pair<double, Event>> found;
  for (const StreamEvent& event : events)
    if (const auto* one = std::get_if<Event>(&event.content)) found.emplace_back(event.time, *one);
  return found;
}

std::vector<StreamEvent> streamOf(StoredRun& kept) {
  const auto recorded = loadRecordedRun(kept.store, kept.run);
  if (!recorded.ok()) qFatal("%s", recorded.error().message.c_str());
  return recordedStream(*recorded);
}

}  // namespace

class TestRecordedStream : public QObject {
  Q_OBJECT
 private slots:
  void theLayoutIsThatOfTheRun() {
    StoredRun kept;
    addRepeat(kept.store, kept.run, 0);
    const auto plans = only<PlanEvent>(streamOf(kept));
    QCOMPARE(plans.size(), std::size_t{1});
    const PlanEvent& plan = plans[0].second;
    QCOMPARE(plan.stages.size(), std::size_t{2});
    QCOMPARE(plan.stages[0].id, std::string("workers"));
    QCOMPARE(plan.stages[0].threads, std::uint64_t{4});
    QCOMPARE(plan.stages[0].nodes.back(), std::string("prefetch"));
    QCOMPARE(plan.stages[0].fused, (std::vector<std::vector<std::string>>{{"decode", "flip"}}));
    QCOMPARE(plan.stages[1].id, std::string("drain"));
    QVERIFY(plan.stages[1].onConsumer);
    QCOMPARE(plan.queues[0].capacity, std::uint64_t{4});
  }

  void aLoadersStepsAreThoseOfItsWorkers() {
    StoredRun kept;
    NewRun begun = newRun();
    begun.pipelineName = "train.py:loader";
    begun.pipelineJson = R"({"loader": {}})";
    begun.environment = {{"origin", "loader"}, {"loader_workers", "3"}};
    kept.run = kept.store.beginRun(begun).take();
    const RepeatId repeat = kept.store.beginRepeat(kept.run, 0).take();
    const std::vector<NodeRecord> nodes = {{"Crop", "Crop", 30, {}, {}, 1.0, {}, 2.0, {}},
                                           {"collate", "collate", 30, {}, {}, 1.0, {}, 2.0, {}},
                                           {"step", "step", 30, {}, {}, 0.1, {}, 0.1, {}}};
    expect(kept.store.addNodeFigures(repeat, nodes));
    const PlanEvent plan = only<PlanEvent>(streamOf(kept))[0].second;
    QCOMPARE(plan.stages.size(), std::size_t{2});
    QCOMPARE(plan.stages[0].id, std::string("workers"));
    QCOMPARE(plan.stages[0].threads, std::uint64_t{3});
    QCOMPARE(plan.stages[0].nodes, (std::vector<std::string>{"Crop", "collate"}));
    QCOMPARE(plan.stages[1].id, std::string("train.py:loader"));
    QCOMPARE(plan.stages[1].nodes, std::vector<std::string>{"step"});
  }

  void windowsAndSnapshotsHaveTheTimesOfTheRun() {
    StoredRun kept;
    addRepeat(kept.store, kept.run, 0);
    addRepeat(kept.store, kept.run, 1);
    const std::vector<StreamEvent> events = streamOf(kept);
    const auto windows = only<WindowEvent>(events);
    QCOMPARE(windows.size(), std::size_t{6});
    QCOMPARE(windows[0].first, kWarmup + 1);
    QCOMPARE(windows[3].first, 5 + 1 + kWarmup + 1);  // after the first repeat and a pause
    QCOMPARE(windows[3].second.repeat, std::size_t{1});
    const auto snapshots = only<SnapshotEvent>(events);
    QCOMPARE(snapshots.size(), std::size_t{20});
    QCOMPARE(snapshots[9].second.samples, std::uint64_t{500});
    QCOMPARE(snapshots[9].second.cpuSeconds, 7.5);
    QCOMPARE(snapshots[9].second.queues[0].fill, std::uint64_t{4});
    QVERIFY(snapshots[2].second.phase.warmup && !snapshots[4].second.phase.warmup);
    QVERIFY(std::ranges::is_sorted(events, {}, &StreamEvent::time));
  }

  void aFlowGrowsByItsRateAndIsAbsentWhereItWasNotMeasured() {
    StoredRun kept;
    const RepeatId repeat = kept.store.beginRepeat(kept.run, 0).take();
    std::vector<SeriesPoint> memory;
    std::vector<SeriesPoint> disk;
    for (int i = 1; i <= 6; ++i) memory.push_back({0.5 * i, 1e8});
    for (const int i : {2, 3, 5, 6}) disk.push_back({0.5 * i, i * 1e6});
    expect(kept.store.addSeries(repeat, "process.rss_bytes", memory));
    expect(kept.store.addSeries(repeat, "machine.disk_read_bytes_per_second", disk));
    std::vector<std::optional<std::uint64_t>> totals;
    for (const auto& [time, snapshot] : only<SnapshotEvent>(streamOf(kept))) {
      totals.push_back(snapshot.flows[Flow::DiskRead]);
      QVERIFY(!snapshot.flows[Flow::DiskWritten]);
    }
    const std::vector<std::optional<std::uint64_t>> expected = {0,  1'000'000, 2'500'000,
                                                                {}, 5'000'000, 8'000'000};
    QCOMPARE(totals, expected);
  }

  void theResultIsLastAndThatOfTheStore() {
    StoredRun kept;
    addRepeat(kept.store, kept.run, 0);
    expect(kept.store.finishRun(kept.run, RunState::Finished, "", {}));
    const std::vector<StreamEvent> events = streamOf(kept);
    const auto* result = std::get_if<ResultEvent>(&events.back().content);
    QVERIFY(result != nullptr);
    QCOMPARE(result->runId, std::string("1"));
    const auto rate = result->result.figures.samplesPerSecond.mean;
    QVERIFY(rate && std::abs(*rate - 101) < 1e-9);  // a geometric mean
    QCOMPARE(result->result.figures.nodes.size(), std::size_t{7});
  }

  void aRunThatFailedAtOnceHasNoLayoutAndItsReason() {
    StoredRun kept;
    expect(kept.store.finishRun(kept.run, RunState::Failed, "decode: no memory", {}));
    const std::vector<StreamEvent> events = streamOf(kept);
    QCOMPARE(events.size(), std::size_t{2});
    QVERIFY(std::get<PlanEvent>(events[0].content).stages.empty());
    QCOMPARE(std::get<ResultEvent>(events[1].content).result.reason,
             std::string("decode: no memory"));
  }

  void everyKeptFigureOfARepeatIsReadAgainAndInTheStream() {
    std::vector<FigureRecord> kept = figureRecords(SpanFigures());
    QVERIFY(kept.size() > 20);
    double value = 0;
    for (FigureRecord& figure : kept) figure.value = ++value;
    RunDetails details;
    details.repeats.emplace_back().finished = true;
    details.repeats.front().figures = kept;
    const RunResult result = recordedResult(details);
    QCOMPARE(result.repeats.size(), std::size_t{1});
    const std::vector<FigureRecord> read = figureRecords(result.repeats.front());
    const std::string sent = repeatEvent(0, 0, result.repeats.front());
    for (const FigureRecord& figure : kept) {
      const auto found = std::ranges::find(read, figure.metric, &FigureRecord::metric);
      QVERIFY2(found != read.end() && found->value == figure.value, figure.metric.c_str());
      const std::string key = "\"" + figure.metric.substr(0, figure.metric.find('.')) + "\":";
      QVERIFY2(sent.find(key) != std::string::npos, figure.metric.c_str());
    }
  }
};

}  // namespace millrace

using millrace::TestRecordedStream;
MILLRACE_TEST_CASE(TestRecordedStream)
#include "tst_recorded_stream.moc"
