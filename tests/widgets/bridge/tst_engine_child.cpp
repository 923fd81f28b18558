// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#run-and-stop: the life of a child process, whatever it does. The
// meaning of its events is tested with its owners: tst_run_process, tst_engine_job.
#include "widgets/bridge/engine_child.h"

#include <csignal>

#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stall_watch.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::kSayHello;

/// A child that does what a script says, and everything that it reported.
class WatchedChild {
 public:
  WatchedChild() {
    QObject::connect(&child, &EngineChild::eventReceived, [this](const ChildEvent& event) {
      ++events;
      if (!event.json.isEmpty()) objects << event.json["event"].toString();
    });
    QObject::connect(&child, &EngineChild::ended, [this](const ChildExit& l) { exit = l; });
  }
  void start(const QByteArray& script) {
    child.setProgram(tests::writeEngine(folder.path(), script));
    child.start({"work", "--events"});
  }
  bool ends() {
    return QTest::qWaitFor([this] { return exit.has_value(); }, kGenerousMs);
  }

  QTemporaryDir folder;
  EngineChild child;
  int events = 0;
  QStringList objects;
  std::optional<ChildExit> exit;
};

}  // namespace

class TestEngineChild : public QObject {
  Q_OBJECT
 private slots:
  void anEventWithoutACppTypeArrivesAsJson() {
    WatchedChild w;
    w.start(kSayHello + R"(echo '{"event":"later","x":1}'
echo '{"event":"progress","done":1,"of":2,"what":"unmodified"}'; echo '{"event":"window"}'
echo '{"event":"result","outcome":"finished"}'; echo "$@" >&2)");
    QVERIFY(w.child.isRunning());
    QVERIFY(w.ends());
    QVERIFY(!w.child.isRunning());
    QCOMPARE(w.events, 5);
    QCOMPARE(w.objects, (QStringList{"later", "progress", "result"}));
    QVERIFY(w.exit->greeted && !w.exit->crashed && w.exit->code == 0);
    QCOMPARE(w.exit->lastOutput, QString("work --events"));
  }

  void aCrashReportsItsSignalAndLastOutput() {
    WatchedChild w;
    w.start("for i in 1 2 3 4; do echo $i >&2; done; kill -SEGV $$");
    QVERIFY(w.ends());
    QVERIFY(w.exit->crashed && !w.exit->greeted);
    QCOMPARE(w.exit->code, SIGSEGV);
    QCOMPARE(w.exit->lastOutput, QString("2\n3\n4"));
    QCOMPARE(w.exit->lastSentence("The run"), QString("The run ended: 4."));
  }

  void theFirstPipelineErrorIsKept() {
    WatchedChild w;
    w.start(kSayHello + R"(
echo '{"event":"problem","severity":"warning","message":"late"}'
echo '{"event":"problem","severity":"error","message":"no width","remedy":"use 224"}'
echo '{"event":"problem","severity":"error","message":"no height"}'; exit 2)");
    QVERIFY(w.ends());
    QCOMPARE(w.exit->problem, QString("No width. Use 224."));
    QCOMPARE(w.exit->code, 2);
  }

  void aMissingEngineIsNamed() {
    WatchedChild w;
    w.child.setProgram("/nowhere/millrace");
    w.child.start({"work"});
    QVERIFY(w.child.isRunning());
    QVERIFY(w.ends());
    QVERIFY2(w.exit->refusal.startsWith("The engine /nowhere/millrace did not start"),
             qPrintable(w.exit->refusal));
  }

  void aNewerStreamIsRefusedAndItsChildIsEnded() {
    WatchedChild w;
    w.start(R"(echo '{"engine":"9.0","event":"hello","time":1,"version":"2.0"}'; exec sleep 1000)");
    QVERIFY(w.ends());
    QVERIFY2(w.exit->refusal.contains("`2.0`") && w.exit->refusal.contains("same release"),
             qPrintable(w.exit->refusal));
    QCOMPARE(w.events, 0);
  }

  void aChildThatIgnoresAStopIsKilled() {
    WatchedChild w;
    w.child.setPatience({50, 50});
    w.start("trap '' TERM; " + kSayHello + "while :; do sleep 0.05; done");
    QVERIFY(QTest::qWaitFor([&] { return w.events == 1; }, kGenerousMs));
    w.child.stop();
    QVERIFY(w.child.isStopping());
    QVERIFY(w.ends());
    QVERIFY(w.exit->wasAsked && w.exit->wasKilled && w.exit->crashed);
  }

  void aStopBeginsWithARequest() {
    WatchedChild w;
    w.child.setPatience({60000, 60000});
    w.start(kSayHello + "read line; echo \"$line\" >&2; exit 3");
    QVERIFY(QTest::qWaitFor([&] { return w.events == 1; }, kGenerousMs));
    w.child.stop();
    QVERIFY(w.ends());
    QVERIFY(w.exit->wasAsked && !w.exit->wasKilled);
    QCOMPARE(w.exit->lastOutput, QString(R"({"id":1,"request":"stop"})"));
  }

  /// The child writes as fast as it can and is held up by its own pipe.
  void aFloodNeitherStallsTheEventLoopNorIsLost() {
    WatchedChild w;
    const tests::StallWatch stalls;
    w.start(
        kSayHello +
        R"(yes '{"batches":1,"event":"window","repeat":1,"samples":9,"seconds":1,"start_seconds":0,"time":2}' | head -n 60000
yes words | head -n 30000 >&2; exit 3)");
    QVERIFY(w.ends());
    QCOMPARE(w.events, 60001);
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
    QCOMPARE(w.exit->lastOutput, QString("words\nwords\nwords"));
  }

  void anEndlessLineIsDroppedAndTheNextOneIsRead() {
    LineCutter cutter;
    QStringList lines;
    const auto feed = [&](const QByteArray& bytes) {
      return cutter.feed(bytes, 1000, [&](std::string_view line) {
        lines << QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
      });
    };
    QVERIFY(feed("one\ntw"));
    QVERIFY(feed("o\n\n" + QByteArray(600, 'x')));
    QVERIFY(!feed(QByteArray(600, 'x')));
    QVERIFY(feed("rest\nthree\n"));
    QCOMPARE(lines, (QStringList{"one", "two", "", "rest", "three"}));
  }

  void aGrandchildThatHoldsThePipeDoesNotDelayTheEnd() {
    WatchedChild w;
    w.start(kSayHello + "sleep 30 & exit 7");
    QVERIFY(w.ends());
    QCOMPARE(w.events, 1);
    QCOMPARE(w.exit->code, 7);
  }
};

}  // namespace millrace

using millrace::TestEngineChild;
MILLRACE_TEST_CASE(TestEngineChild)
#include "tst_engine_child.moc"
