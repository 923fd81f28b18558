// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work, #run-and-stop: long work on a pipeline is done by a child, and every
// end of it is reported in one sentence.
#include "widgets/bridge/engine_job.h"

#include <csignal>

#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stall_watch.h"
#include "widgets/models/search/live_sweep.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::kSayHello;

/// A job and everything that it reported.
class WatchedJob {
 public:
  WatchedJob() {
    QObject::connect(&job, &EngineJob::eventReceived,
                     [this](const QJsonObject& event) { names << event["event"].toString(); });
    QObject::connect(&job, &EngineJob::heard, [this](const StreamEvent& event) {
      ++events;
      sweep.take(event);
    });
    QObject::connect(&job, &EngineJob::warned, [this](const QString& s) { warnings << s; });
    QObject::connect(&job, &EngineJob::ended, [this](const ChildEnd& e) { end = e; });
    order = {"sweep", "The sweep", "{}", "small", "/", {"--more"}};
  }
  /// A child that does what `text` says.
  void script(const QByteArray& text) { job.setProgram(tests::writeEngine(folder.path(), text)); }
  bool ends() {
    return QTest::qWaitFor([this] { return end.has_value(); }, kGenerousMs);
  }

  QTemporaryDir folder;
  EngineJob job;
  JobOrder order;
  LiveSweep sweep;
  QStringList names;
  qsizetype events = 0;
  QStringList warnings;
  std::optional<ChildEnd> end;
};

}  // namespace

class TestEngineJob : public QObject {
  Q_OBJECT
 private slots:
  void theChildGetsTheDocumentItsFolderAndTheFlags() {
    WatchedJob w;
    w.script("cp \"$2\" '" + w.folder.path().toLocal8Bit() + "/seen'; echo \"$@\" >&2; exit 4");
    w.job.start(w.order);
    QVERIFY(w.job.isRunning());
    QVERIFY(w.ends());
    QVERIFY(!w.job.isRunning());
    QVERIFY2(w.end->lastOutput == "sweep ./small --events --base / --more",
             qPrintable(w.end->lastOutput));
    QFile seen(w.folder.filePath("seen"));
    QVERIFY(seen.open(QIODevice::ReadOnly));
    QCOMPARE(seen.readAll(), QByteArray("{}"));
  }

  void anEndWithAResultHasNoSentence() {
    WatchedJob w;
    w.script(kSayHello + R"(echo '{"event":"later"}'
echo '{"event":"problem","severity":"warning","message":"it is late","remedy":"sleep"}'
echo '{"event":"result","outcome":"finished"}')");
    w.job.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Finished);
    QCOMPARE(w.end->sentence, QString());
    QCOMPARE(w.names, (QStringList{"later", "result"}));
    QCOMPARE(w.warnings, QStringList("It is late. Sleep."));
  }

  void aProblemOfThePipelineIsTheReasonForTheEnd() {
    WatchedJob w;
    w.script(kSayHello +
             R"(echo '{"event":"problem","severity":"error","message":"no such node"}'; exit 2)");
    w.job.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Failed);
    QCOMPARE(w.end->sentence, QString("No such node."));
  }

  void aChildThatDiesIsReportedWithItsLastOutput() {
    WatchedJob w;
    w.script(kSayHello + "echo one >&2; echo two >&2; kill -SEGV $$");
    w.job.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Failed);
    QVERIFY2(w.end->sentence.startsWith("The sweep ended: the engine was ended by a memory access"),
             qPrintable(w.end->sentence));
    QCOMPARE(w.end->lastOutput, QString("one\ntwo"));
  }

  void aHangingChildIsEndedByStop() {
    WatchedJob w;
    w.script("trap '' TERM; " + kSayHello +
             "echo '{\"event\":\"here\"}'; while :; do sleep 0.05; done");
    w.job.setPatience({50, 50});
    w.job.start(w.order);
    QVERIFY(QTest::qWaitFor([&] { return !w.names.isEmpty(); }, kGenerousMs));
    w.job.stop();
    QVERIFY(w.job.isStopping());
    QVERIFY(w.ends());
    QCOMPARE(w.end->kind, ChildEnd::Kind::Stopped);
    QCOMPARE(w.end->sentence, QString("The engine did not stop when asked and was killed."));
  }

  /// Many events that fit no sweep affect neither the model nor the event loop.
  void aFloodOfTrialsStallsNothing() {
    WatchedJob w;
    w.script(kSayHello + R"(
echo '{"event":"sweep","repeats":2,"axes":[{"param":"a.b","values":[1,2],"current":1}],"trials":[{"trial":0,"settings":{"a.b":1},"current":true},{"trial":1,"settings":{"a.b":2}}]}'
yes '{"event":"trial_ended","trial":1,"repeat":1,"state":"measured","rate":12.5}' | head -n 40000
yes '{"event":"trial_ended","trial":7,"state":"failed"}' | head -n 1000
yes 'no event' | head -n 1000
exit 3)");
    const tests::StallWatch stalls;
    w.job.start(w.order);
    QVERIFY(w.ends());
    QCOMPARE(w.events, 41002);  // with `hello`
    QCOMPARE(w.sweep.points()[1].repeats.size(), 2U);
    QCOMPARE(*w.sweep.rateOf(1), 12.5);
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
  }
};

}  // namespace millrace

using millrace::TestEngineJob;
MILLRACE_TEST_CASE(TestEngineJob)
#include "tst_engine_job.moc"
