// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#run-and-stop: a run is a child process, and every end of it is reported in
// one sentence.
#include "widgets/bridge/run_process.h"

#include <csignal>

#include "core/base/text/text.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/full_disk.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stall_watch.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/bridge/run_session.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::kLongPipeline;
using tests::kSayHello;

/// A run and everything that it reported.
class WatchedRun {
 public:
  WatchedRun() {
    QObject::connect(&run, &RunProcess::eventReceived, [this](const StreamEvent& event) {
      ++events;
      snapshots += std::holds_alternative<SnapshotEvent>(event.content) ? 1 : 0;
      results += std::holds_alternative<ResultEvent>(event.content) ? 1 : 0;
    });
    QObject::connect(&run, &RunProcess::silent, [this](const QString& s) { silences << s; });
    QObject::connect(&run, &RunProcess::ended, [this](const ChildEnd& e) { end = e; });
    run.setProgram(tests::kMillrace);
    order.pipeline = kLongPipeline;
    order.title = "a run";
    order.keep = false;
    order.measure = {0.2, 0.4, 1};
  }

  /// A child that does what `text` says.
  void script(const QByteArray& text) { run.setProgram(tests::writeEngine(folder.path(), text)); }
  bool ends() {
    return QTest::qWaitFor([this] { return end.has_value(); }, kGenerousMs);
  }
  bool starts() {
    run.start(order);
    return QTest::qWaitFor([this] { return snapshots > 0 || end.has_value(); }, kGenerousMs);
  }

  QTemporaryDir folder;
  RunProcess run;
  RunOrder order;
  int events = 0;
  int snapshots = 0;
  int results = 0;
  QStringList silences;
  std::optional<ChildEnd> end;
};

}  // namespace

class TestRunProcess : public QObject {
  Q_OBJECT
 private slots:
  void aRunThatCouldNotBeKeptSaysSo() {
    WatchedRun w;
    w.order.keep = true;
    w.order.store = w.folder.filePath("runs.db");
    {
      const tests::FullDisk full(20000);
      w.run.start(w.order);
      QVERIFY(w.ends());
    }
    QCOMPARE(w.end->kind, ChildEnd::Kind::Finished);
    QVERIFY2(w.end->notKept.startsWith("This run is not kept"), qPrintable(w.end->notKept));
    QVERIFY2(!w.end->notKept.contains("--"), qPrintable(w.end->notKept));
    LiveRun run;
    run.begin("a run", w.order.measure, {});
    run.finish(*w.end);
    QCOMPARE(run.phaseText(), QString("done, not kept"));
  }

  void aRunThatFinishesDeliversItsEventsAndNoSentence() {
    WatchedRun w;
    w.run.start(w.order);
    QVERIFY(w.run.isRunning());
    QVERIFY(w.ends());
    QCOMPARE(w.end->sentence, QString());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Finished);
    QVERIFY(w.snapshots > 0);
    QCOMPARE(w.results, 1);
    QVERIFY(!w.run.isRunning());
  }

  void aStoppedRunStillDeliversItsResult() {
    WatchedRun w;
    w.order.measure = {0, 1000, 3};
    w.run.setPatience({60000, 60000, 60000});
    QVERIFY(w.starts());
    w.run.stop();
    QVERIFY(w.run.isStopping());
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Stopped);
    QCOMPARE(w.end->sentence, QString());
    QCOMPARE(w.results, 1);
  }

  void aPipelineProblemIsReportedWithItsRemedy() {
    WatchedRun w;
    w.order.pipeline = R"({"format_version": 1, "nodes": [{"id": "step", "kind": "drain"}]})";
    w.run.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Failed);
    QVERIFY2(w.end->sentence.contains("ource"), qPrintable(w.end->sentence));
    QVERIFY(w.end->sentence.endsWith('.'));
  }

  void aKilledEngineIsReported() {
    WatchedRun w;
    w.order.measure = {0, 1000, 1};
    w.run.setKillCounter([] { return std::optional<quint64>(7); });
    QVERIFY(w.starts());
    QVERIFY(w.run.processId() > 0);
    ::kill(static_cast<pid_t>(w.run.processId()), SIGKILL);
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Failed);
    QCOMPARE(w.end->sentence,
             QString("The run ended: the engine was ended by another program (signal 9)."));
  }

  void anOutOfMemoryKillIsReportedWithWhatToLower() {
    WatchedRun w;
    w.order.measure = {0, 1000, 1};
    quint64 kills = 7;
    w.run.setKillCounter([&] { return std::optional<quint64>(kills); });
    QVERIFY(w.starts());
    ++kills;
    QVERIFY(w.run.processId() > 0);
    ::kill(static_cast<pid_t>(w.run.processId()), SIGKILL);
    QVERIFY(w.ends());
    QVERIFY2(w.end->sentence.contains("memory was full. It used "), qPrintable(w.end->sentence));
    QVERIFY(w.end->sentence.contains("cache"));
  }

  void aCrashIsReportedWithTheLastOutput() {
    WatchedRun w;
    w.script(kSayHello + "echo one >&2; echo 'out of bounds' >&2; kill -SEGV $$");
    w.run.start(w.order);
    QVERIFY(w.ends());
    QVERIFY2(w.end->sentence.contains("a memory access fault (signal 11)"),
             qPrintable(w.end->sentence));
    QCOMPARE(w.end->lastOutput, QString("one\nout of bounds"));
    QCOMPARE(w.events, 1);
  }

  void aProgramThatIsNotTheEngineIsRefused() {
    WatchedRun w;
    w.script("echo Welcome to the cluster");
    w.run.start(w.order);
    QVERIFY(w.ends());
    QVERIFY2(w.end->sentence.contains("is not this program's engine") &&
                 w.end->sentence.contains("Welcome"),
             qPrintable(w.end->sentence));
  }

  void anEngineWithoutAResultIsReportedWithItsLastOutputOrExitCode() {
    WatchedRun w;
    w.script(kSayHello + "exit 7");
    w.run.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->sentence, QString("The engine ended without a result (exit code 7)."));
  }

  void whatTheEngineReportsAsAnEventIsSaidOnce() {
    WatchedRun w;
    w.script(kSayHello +
             R"(echo '{"event":"problem","severity":"error","message":"no such node"}'; )"
             "echo 'error: no such node' >&2; echo 'Set parameters with --set' >&2; exit 2");
    w.run.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->sentence, QString("No such node."));
    QCOMPARE(w.end->lastOutput, QString());
  }

  void aHangingChildIsReportedAndEndedByStop() {
    WatchedRun w;
    w.script("trap '' TERM; " + kSayHello + "echo 'reads `a`' >&2; while :; do sleep 0.05; done");
    w.run.setPatience({50, 50, 100});
    w.run.start(w.order);
    QVERIFY(QTest::qWaitFor([&] { return w.events == 1 && w.silences.size() >= 1; }, kGenerousMs));
    QVERIFY2(w.silences.last().contains("has sent nothing for 0.1 s") &&
                 w.silences.last().endsWith("Its last message: reads a"),
             qPrintable(w.silences.join('|')));
    w.run.stop();
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Stopped);
    QCOMPARE(w.end->sentence, QString("The engine did not stop within 0.1 s and was killed."));
  }

  void aHangingChildIsGoneWithinASecond() {
    const RunProcess::Patience patience;
    QVERIFY(patience.stopMs + patience.killMs < 1000);
  }

  void aFloodIntoTheModelDoesNotStallTheEventLoop() {
    WatchedRun script;
    const QByteArray window =
        R"({"batches":1,"event":"window","repeat":1,"samples":9,"seconds":1,"start_seconds":0,"time":2})";
    script.script(kSayHello + "yes '" + window + "' | head -n 100000; exit 3");
    RunSession session;
    session.process().setProgram(script.folder.filePath("engine"));
    const tests::StallWatch stalls;
    session.start(script.order, {});
    QVERIFY(QTest::qWaitFor([&] { return !session.isRunning(); }, kGenerousMs));
    QCOMPARE(session.run().median().points().back().value, 9.0);
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
  }

  void oneRunAfterTheOther() {
    WatchedRun w;
    for (int i = 0; i < 2; ++i) {
      w.end.reset();
      w.run.start(w.order);
      QVERIFY(w.ends());
      QCOMPARE(w.end->kind, ChildEnd::Kind::Finished);
    }
    QCOMPARE(w.results, 2);
  }

  void theCommandCanBeCopied() {
    QCOMPARE(
        RunProcess::commandOf("/data/my run.millrace.json", {2, 0.5, 3}),
        QString("millrace run '/data/my run.millrace.json' --warmup 2 --seconds 0.5 --repeats 3"));
  }
};

}  // namespace millrace

using millrace::TestRunProcess;
MILLRACE_TEST_CASE(TestRunProcess)
#include "tst_run_process.moc"
