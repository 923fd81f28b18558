// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/remote/stream_recorder.h"

#include <algorithm>

#include "core/store/run_origin.h"
#include "core/store/trace_folder.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

/// Keeps the sentences about what is not kept.
class NotKeptObserver final : public JobObserver {
 public:
  void onNotKept(const std::string& sentence) override { sentences.push_back(sentence); }
  std::vector<std::string> sentences;
};

class TestStreamRecorder : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<TemporaryFolder>();
    m_reader = {};
  }

  void aWholeStreamIsKeptAsARun() {
    NotKeptObserver observer;
    KeepSettings keep = keptIn(*m_folder);
    keep.labels.name = "there";
    StreamRecorder recorder(keep, "mine.millrace.json", "gpu1", observer);
    feed(recorder, beginning());
    QCOMPARE(recorder.runId(), std::string("1"));
    feed(recorder, repeat());
    RunResult result;
    result.repeats = {figures()};
    result.figures = figures();
    result.environment = {{"cpu_model", "Fast"}, {"data_samples", "640"}};
    feed(recorder, {resultEvent(9, result, {"", "mine.millrace.json"})});
    recorder.end("not used");

    QVERIFY(observer.sentences.empty());
    const RunDetails run = kept();
    QVERIFY(run.summary.state == RunState::Finished);
    QCOMPARE(run.summary.name, std::string("there"));
    QCOMPARE(run.summary.pipelineName, std::string("mine.millrace.json"));
    QCOMPARE(run.engineVersion, std::string("1.2.3"));
    QCOMPARE(run.summary.samplesPerSecond.value_or(0), 640.0);
    QCOMPARE(run.settings.size(), std::size_t{4});
    QVERIFY(settingOf(run, "workers") == SettingValue{std::int64_t{4}});
    QVERIFY(settingOf(run, "flip") == SettingValue{0.5});
    QVERIFY(settingOf(run, "shuffle") == SettingValue{true});
    QVERIFY(settingOf(run, "batch") == SettingValue{std::string("ready")});
    QCOMPARE(factOfRun(run, kMachineFact), std::string("gpu1"));
    QCOMPARE(factOfRun(run, "cpu_model"), std::string("Fast"));
    QCOMPARE(factOfRun(run, "data_samples"), std::string("640"));
    QCOMPARE(run.repeats.size(), std::size_t{1});
    QCOMPARE(run.repeats[0].windows.size(), std::size_t{1});
    QVERIFY(std::ranges::count(run.repeats[0].seriesMetrics, "queue.fill/prefetch") == 1);
    QVERIFY(std::ranges::count(run.repeats[0].seriesMetrics, "process.rss_bytes") == 1);
    QCOMPARE(run.failures.size(), std::size_t{1});
    QCOMPARE(run.failures[0].reason, std::string("no JPEG"));
  }

  void aTraceOfTheOtherMachineIsNoFileHere() {
    NotKeptObserver observer;
    StreamRecorder recorder(keptIn(*m_folder), "p", "gpu1", observer);
    feed(recorder, beginning({{std::string(kTraceFileFact), "/home/me/trace"}, {"kernel", "6"}}));
    recorder.end("the connection was lost");
    QCOMPARE(factOfRun(kept(), kTraceFileFact), std::string());
    QCOMPARE(factOfRun(kept(), "kernel"), std::string("6"));
  }

  void aStreamThatBreaksLeavesAnInterruptedRun() {
    NotKeptObserver observer;
    StreamRecorder recorder(keptIn(*m_folder), "p", "gpu1", observer);
    feed(recorder, beginning());
    feed(recorder, repeat());
    recorder.end("the connection to gpu1 was lost");
    const RunDetails run = kept();
    QVERIFY(run.summary.state == RunState::Interrupted);
    QCOMPARE(run.summary.reason, std::string("the connection to gpu1 was lost"));
    QCOMPARE(run.summary.samplesPerSecond.value_or(0), 640.0);
  }

  void aSnapshotWithOtherQueuesIsNotKept() {
    NotKeptObserver observer;
    StreamRecorder recorder(keptIn(*m_folder), "p", "gpu1", observer);
    feed(recorder, beginning());
    PlanEvent plan;
    RunSnapshot snapshot;
    snapshot.host.memory.rssBytes = 1;
    for (int i = 0; i < 100; ++i) {
      plan.queues.emplace_back().id = "q";
      snapshot.totals.queues.emplace_back().fill = 1;
    }
    feed(recorder, {phaseEvent(1, {0, 1, false, 2}), snapshotEvent(1, plan, snapshot, {}, 0)});
    recorder.end("the connection was lost");
    QVERIFY(observer.sentences.empty());
    QCOMPARE(kept().repeats.size(), std::size_t{1});
    QVERIFY(kept().repeats[0].seriesMetrics.empty());
  }

  void aStreamThatDidNotBeginKeepsNothing() {
    NotKeptObserver observer;
    StreamRecorder recorder(keptIn(*m_folder), "p", "gpu1", observer);
    feed(recorder, {helloEvent(0, "1.2.3"), problemEvent(0, {Severity::Error, "a", "", "no", ""})});
    recorder.end("the connection was lost");
    QVERIFY(recorder.runId().empty());
    QVERIFY(!std::filesystem::exists(keptIn(*m_folder).file));
  }

  void aStoreThatCannotBeWrittenIsReportedOnce() {
    NotKeptObserver observer;
    KeepSettings keep;
    keep.file = "/proc/nothing/runs.db";
    StreamRecorder recorder(keep, "p", "gpu1", observer);
    feed(recorder, beginning());
    feed(recorder, repeat());
    recorder.end("the connection was lost");
    QCOMPARE(observer.sentences.size(), std::size_t{1});
    QVERIFY(observer.sentences[0].starts_with("this run is not kept: "));
  }

 private:
  using Environment = std::vector<std::pair<std::string, std::string>>;
  static std::vector<std::string> beginning(const Environment& environment = {
                                                {"cpu_model", "Slow"}}) {
    PlanEvent plan;
    plan.queues = {{.id = "prefetch",
                    .from = "batch",
                    .to = "drain",
                    .unit = "batches",
                    .capacity = 2,
                    .slotCount = 4,
                    .batchBytes = 8}};
    const RecordEvent record{"{\"nodes\": []}",
                             {{"workers", "count", std::int64_t{4}},
                              {"flip", "probability", 0.5},
                              {"shuffle", "again", true},
                              {"batch", "order", std::string("ready")}},
                             environment};
    return {helloEvent(0, "1.2.3"), planEvent(0, plan), recordEvent(0, record)};
  }
  /// One repeat with two snapshots, a window and a failed sample.
  static std::vector<std::string> repeat() {
    std::vector<std::string> lines = {phaseEvent(1, {0, 1, false, 2})};
    PlanEvent plan;
    plan.queues.emplace_back().id = "prefetch";
    for (const std::uint64_t at : {1, 2}) {
      RunSnapshot snapshot;
      snapshot.seconds = static_cast<double>(at);
      snapshot.totals.samples = 640 * at;
      snapshot.totals.queues.emplace_back().fill = at;
      snapshot.host.memory.rssBytes = 1'000'000 * at;
      lines.push_back(snapshotEvent(snapshot.seconds, plan, snapshot, {}, 0));
    }
    lines.push_back(failureEvent(2, {"photo.jpg", "no JPEG"}, 1));
    lines.push_back(windowEvent(2, 0, {0, 1, 640, 80}));
    lines.push_back(repeatEvent(3, 0, figures()));
    return lines;
  }
  static SpanFigures figures() {
    SpanFigures figures;
    figures.samples = 1280;
    figures.seconds = 2;
    figures.samplesPerSecond.mean = 640;
    return figures;
  }
  void feed(StreamRecorder& recorder, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      const auto event = m_reader.read(line);
      VERIFY_OK(event);
      recorder.take(*event);
    }
  }
  /// The only setting of a node.
  static SettingValue settingOf(const RunDetails& run, const std::string& node) {
    return std::ranges::find(run.settings, node, &SettingRecord::node)->value;
  }
  RunDetails kept() const { return keptRun(keptIn(*m_folder).file, "1")->details; }

  std::unique_ptr<TemporaryFolder> m_folder;
  EventReader m_reader;
};

MILLRACE_TEST_CASE(TestStreamRecorder)

}  // namespace millrace

#include "tst_stream_recorder.moc"
