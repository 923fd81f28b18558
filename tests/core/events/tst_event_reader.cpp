// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_reader.h"

#include "core/events/stream/event_json.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestEventReader : public QObject {
  Q_OBJECT

  static EventReader greeted() {
    EventReader reader;
    (void)reader.read(helloEvent(0, "1.2.3"));
    return reader;
  }
  template <class T>
  static T only(const std::string& line) {
    EventReader reader = greeted();
    const Result<StreamEvent> event = reader.read(line);
    if (!event) qFatal("%s", event.error().message.c_str());
    return std::get<T>(event->content);
  }
  static std::string refusal(EventReader& reader, const std::string& line) {
    const Result<StreamEvent> event = reader.read(line);
    return event ? std::string("accepted") : event.error().message;
  }

 private slots:
  void helloSaysWhoWrites() {
    EventReader reader = greeted();
    QCOMPARE(reader.hello()->engine, std::string("1.2.3"));
    QCOMPARE(reader.hello()->version, std::string("1.0"));
  }

  void aPhaseComesBackAsItWasWritten() {
    const RunPhase phase = only<RunPhase>(phaseEvent(3.5, {1, 3, true, 0.75}));
    QCOMPARE(phase.repeat, std::size_t{1});
    QCOMPARE(phase.repeats, std::size_t{3});
    QVERIFY(phase.warmup);
    QCOMPARE(phase.secondsLeft, 0.75);
  }

  void aWaitForTheCoresComesBackAsItWasWritten() {
    const auto waiting =
        only<WaitingEvent>(waitingEvent(3, {.repeat = 1, .repeats = 3, .secondsLeft = 10}));
    QCOMPARE(waiting.phase.repeat, std::size_t{1});
    QCOMPARE(waiting.phase.repeats, std::size_t{3});
    QCOMPARE(waiting.phase.secondsLeft, 10.0);
  }

  void aWindowComesBackAsItWasWritten() {
    const auto event = only<WindowEvent>(windowEvent(1, 2, {1.5, 1.01, 640, 10}));
    QCOMPARE(event.repeat, std::size_t{2});
    QCOMPARE(event.window.startSeconds, 1.5);
    QCOMPARE(event.window.seconds, 1.01);
    QCOMPARE(event.window.samples, 640U);
    QCOMPARE(event.window.batches, 10U);
  }

  void whatARankSaysComesBackAsItWasWritten() {
    QCOMPARE(only<ReadyEvent>(readyEvent(1, 2)).repeat, std::size_t{2});
    SpanFigures figures;
    figures.samples = 640;
    figures.stepShare = 0.5;
    figures.samplesPerSecond.mean = 320;
    figures.windows = {{0, 1, 320, 5}};
    const auto ended = only<RepeatEvent>(repeatEvent(1, 1, figures));
    QCOMPARE(ended.repeat, std::size_t{1});
    QCOMPARE(ended.figures.samples, 640U);
    QCOMPARE(*ended.figures.stepShare, 0.5);
    QCOMPARE(ended.figures.windows.size(), std::size_t{1});
    RunResult result;
    QVERIFY(only<ResultEvent>(resultEvent(1, result, {})).result.ranks.empty());
    result.ranks = {{0, "", {}}, {1, "GPU-3f", figures}};
    result.figures.lockstepSamplesPerSecond = 640;
    const RunResult read = only<ResultEvent>(resultEvent(1, result, {})).result;
    QCOMPARE(*read.figures.lockstepSamplesPerSecond, 640.0);
    QCOMPARE(read.ranks.size(), std::size_t{2});
    QVERIFY(read.ranks[0].gpu.empty() && !read.ranks[0].figures.stepShare);
    QCOMPARE(read.ranks[1].rank, std::int64_t{1});
    QCOMPARE(read.ranks[1].gpu, std::string("GPU-3f"));
    QCOMPARE(*read.ranks[1].figures.samplesPerSecond.mean, 320.0);
  }

  void problemsAndFailuresComeBackAsTheyWereWritten() {
    const auto problem = only<ProblemEvent>(
        problemEvent(1, {Severity::Warning, "decode", "form", "odd", "even it"}));
    QVERIFY(problem.problem.severity == Severity::Warning);
    QCOMPARE(problem.problem.text(), std::string("warning: decode.form: odd; even it"));
    QVERIFY(!problem.sample);
    const auto failure = only<ProblemEvent>(failureEvent(1, {"a\xff.jpg", "truncated"}, 7));
    QCOMPARE(*failure.sample, std::string("a\xef\xbf\xbd.jpg"));
    QCOMPARE(failure.problem.message, std::string("truncated"));
    QCOMPARE(failure.failedSamples, 7U);
  }

  void progressAndAnswersComeBackAsTheyWereWritten() {
    const auto progress = only<ProgressEvent>(progressEvent(1, 5, 20, 1.5));
    QCOMPARE(progress.done, 5U);
    QCOMPARE(progress.of, 20U);
    QCOMPARE(*progress.secondsLeft, 1.5);
    QVERIFY(!only<ProgressEvent>(progressEvent(1, 0, 60, secondsFor(60, 0, 3))).secondsLeft);
    QCOMPARE(*secondsFor(40, 20, 3), 6.0);
    const auto good = only<AnswerEvent>(answerEvent(1, -4, ""));
    QVERIFY(good.ok && good.error.empty());
    QCOMPARE(good.id, std::int64_t{-4});
    const auto bad = only<AnswerEvent>(answerEvent(1, 5, "not live"));
    QVERIFY(!bad.ok);
    QCOMPARE(bad.error, std::string("not live"));
  }

  void aSnapshotComesBackAsItWasWritten() {
    PlanEvent plan;
    plan.nodes.resize(1);
    plan.nodes[0].id = "decode";
    plan.queues.resize(1);
    plan.queues[0].id = "prefetch";
    RunSnapshot snapshot;
    snapshot.seconds = 2;
    snapshot.totals.samples = 100;
    snapshot.totals.nodes.resize(1);
    snapshot.totals.nodes[0].items = 100;
    snapshot.totals.nodes[0].timedItems = 10;
    snapshot.totals.nodes[0].timedNs = 20'000'000;
    snapshot.totals.queues.resize(1);
    snapshot.totals.queues[0].fill = 2;
    snapshot.totals.queues[0].seconds = 4;
    snapshot.totals.queues[0].emptySeconds = 1;
    snapshot.totals.queues[0].fillSeconds = 6.5;
    const auto event = only<SnapshotEvent>(snapshotEvent(9, plan, snapshot, {"12", "x"}, 3));
    QCOMPARE(event.runId, std::string("12"));
    QCOMPARE(event.samples, 100U);
    QCOMPARE(event.droppedSnapshots, 3U);
    QCOMPARE(event.nodes.size(), std::size_t{1});
    QCOMPARE(event.nodes[0].id, std::string("decode"));
    QCOMPARE(*event.nodes[0].meanMs, 2.0);
    QCOMPARE(*event.nodes[0].busySeconds, 0.2);
    QCOMPARE(event.queues[0].fill, 2U);
    QCOMPARE(event.queues[0].emptySeconds, 1.0);
    QCOMPARE(*event.queues[0].fillSeconds, 6.5);
    QVERIFY(!event.rssBytes);
  }

  void trafficComesBackAsItWasWrittenAndAbsentStaysAbsent() {
    RunSnapshot snapshot;
    snapshot.host.flows[Flow::DiskRead] = 9'000'000'000'000'000'001U;
    snapshot.host.flows[Flow::NetworkSent] = 0;
    const std::string line = snapshotEvent(1, PlanEvent(), snapshot, {}, 0);
    QVERIFY2(line.find(R"("traffic":{"disk_read_bytes":9000000000000000001,)"
                       R"("disk_written_bytes":null,"network_received_bytes":null,)"
                       R"("network_sent_bytes":0,"process_read_bytes":null})") != line.npos,
             line.c_str());
    QVERIFY(only<SnapshotEvent>(line).flows == snapshot.host.flows);
    const auto older = only<SnapshotEvent>(R"({"event":"snapshot","time":1,"traffic":7})");
    QVERIFY(older.flows == FlowTotals());
  }

  void aGpuComesBackAsItWasWrittenAndAbsentStaysAbsent() {
    GpuValues values;
    values.utilisation = 0.25;
    values.powerWatts = 300;
    values.throttledShare = 1;
    values.throttleReasons = 0x24;
    const PlanEvent plan;
    RunSnapshot snapshot;
    snapshot.gpu = GpuNews{"H200", {{SteadyTime(), {}}, {SteadyTime(), values}}, "it is lost"};
    const auto event = only<SnapshotEvent>(snapshotEvent(1, plan, snapshot, {}, 0));
    QVERIFY(event.accelerator.has_value());
    QCOMPARE(event.accelerator->name, std::string("H200"));
    QCOMPARE(event.accelerator->ended, std::string("it is lost"));
    QCOMPARE(*event.accelerator->values.utilisation, 0.25);
    QCOMPARE(*event.accelerator->values.powerWatts, 300.0);
    QVERIFY(!event.accelerator->values.temperatureCelsius);
    QCOMPARE(event.accelerator->values.throttleReasons, std::uint64_t{0x24});
    snapshot.gpu.reset();
    QVERIFY(!only<SnapshotEvent>(snapshotEvent(1, plan, snapshot, {}, 0)).accelerator);
    RunResult result;
    result.figures.accelerator = GpuFigures{"H200", values, 50, ""};
    const auto end = only<ResultEvent>(resultEvent(1, result, {}));
    QCOMPARE(end.result.figures.accelerator->samples, std::uint64_t{50});
    QCOMPARE(*end.result.figures.accelerator->values.utilisation, 0.25);
  }

  void aResultComesBackAsItWasWritten() {
    RunResult result;
    result.outcome = RunOutcome::Interrupted;
    result.reason = "stopped";
    result.figures.samples = 640;
    result.figures.seconds = 2.5;
    result.figures.samplesPerSecond.mean = 256;
    result.figures.nodes.push_back({});
    result.figures.nodes[0].id = "flip";
    result.figures.nodes[0].fusedInto = "decode";
    result.figures.queues.push_back({});
    result.figures.queues[0].emptyShare = 0.25;
    result.repeats = {result.figures};
    result.repeats[0].windows = {{0, 1, 256, 4}};
    result.failures = {{"a.jpg", "decode: truncated"}};
    result.environment = {{"cpu", "x86"}};
    const std::string line = resultEvent(1, result, {"5", "p.json"});
    const auto event = only<ResultEvent>(line);
    QCOMPARE(event.runId, std::string("5"));
    QCOMPARE(event.pipeline, std::string("p.json"));
    QCOMPARE(event.json, line);
    QVERIFY(event.result.outcome == RunOutcome::Interrupted);
    QCOMPARE(event.result.reason, std::string("stopped"));
    // Writing what was read gives the same line.
    QCOMPARE(resultEvent(1, event.result, {event.runId, event.pipeline}), line);
  }

  void anotherMajorVersionIsRefusedForGood() {
    for (const char* version : {"2.0", "0.9", "10", "", "x", "1x"}) {
      EventReader reader;
      const std::string hello =
          "{\"event\":\"hello\",\"time\":0,\"engine\":\"9.9\",\"version\":\"" +
          std::string(version) + "\"}";
      const std::string sentence = refusal(reader, hello);
      QVERIFY2(sentence.find("this program reads 1.x") != std::string::npos, sentence.c_str());
      QVERIFY(sentence.find("9.9") != std::string::npos);
      QCOMPARE(refusal(reader, progressEvent(1, 1, 2, 3)), sentence);
    }
  }

  void aLaterMinorVersionIsRead() {
    EventReader reader;
    VERIFY_OK(reader.read(R"({"event":"hello","time":0,"engine":"2","version":"1.7","more":[1]})"));
    const auto unknown = reader.read(R"({"event":"weather","time":1})");
    VERIFY_OK(unknown);
    QCOMPARE(std::get<UnknownEvent>(unknown->content).name, std::string("weather"));
    const auto extra = reader.read(R"({"event":"progress","time":1,"done":3,"of":4,"mood":{}})");
    VERIFY_OK(extra);
    QCOMPARE(std::get<ProgressEvent>(extra->content).done, 3U);
  }

  void aStreamBeginsWithHello() {
    EventReader reader;
    QCOMPARE(refusal(reader, progressEvent(1, 1, 2, 3)),
             std::string("an event stream must begin with `hello`, not with `progress`"));
    QCOMPARE(refusal(reader, helloEvent(0, "1")), std::string("accepted"));
  }

  void aBrokenLineIsASentenceAndConcernsItselfAlone() {
    EventReader reader = greeted();
    for (const char* line : {"", "{", "[]", "3", "null", "{\"event\":\"pha", "\xff\xfe", "{}",
                             R"({"event":3})", R"({"event":""})", "{\"time\":1e999}"})
      QVERIFY2(refusal(reader, line).find("a line of the event stream") == 0, line);
    QVERIFY(refusal(reader, std::string(100000, '[')).size() < 200);
    QCOMPARE(refusal(reader, progressEvent(1, 1, 2, 3)), std::string("accepted"));
  }

  void valuesOfAnotherTypeAreEmpty() {
    const auto snapshot = only<SnapshotEvent>(
        std::string(
            R"({"event":"snapshot","time":"late","samples":-3,"batches":1.5,"run_id":7,"nodes":5,)") +
        R"("queues":{"a":1},"cores":[3,null,[]],"rss_bytes":"big","phase":[]})");
    QCOMPARE(snapshot.samples, 0U);
    QCOMPARE(snapshot.batches, 0U);
    QVERIFY(snapshot.nodes.empty() && snapshot.queues.empty());
    QCOMPARE(snapshot.cores.size(), std::size_t{3});
    QVERIFY(!snapshot.rssBytes);
    QCOMPARE(only<AnswerEvent>(R"({"event":"answer","id":18446744073709551615})").id,
             std::int64_t{0});
  }
};

}  // namespace millrace

using millrace::TestEventReader;
MILLRACE_TEST_CASE(TestEventReader)
#include "tst_event_reader.moc"
