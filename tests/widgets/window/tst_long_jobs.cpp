// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work: what the desktop learns of the window's long work. A script replaces
// the engine, so that each end is the same on every machine.
#include "app/workbench/window/long_jobs.h"

#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "core/events/stream/event_json.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/window_bench.h"

namespace millrace {

namespace {

// Positions in longJobsOf.
constexpr std::size_t kRun = 0;
constexpr std::size_t kSweep = 1;
constexpr std::size_t kTune = 2;
constexpr std::size_t kDiagnosis = 3;
constexpr std::size_t kComparison = 4;

/// Prints lines of a stream.
QByteArray said(const std::string& lines) {
  return "cat <<'END'\n" + QByteArray::fromStdString(lines) + "END\n";
}

std::string hello() { return helloEvent(1, "0.1.0") + '\n'; }

class JobsBench {
 public:
  JobsBench() {
    folder.write("mine.millrace.json", tests::kLongPipeline);
    bench = std::make_unique<tests::WindowBench>(folder);
    jobs = longJobsOf(*bench->window);
    gate = fileText(folder.path() / "gate");
  }
  bool script(const QByteArray& script) {
    const QString program = tests::writeEngine(fileText(folder.path()), script);
    bench->window->controller().session().process().setProgram(program);
    bench->window->diagnoses().job().setProgram(program);
    return bench->ready &&
           bench->waits([this] { return bench->window->action("run")->isEnabled(); });
  }
  /// A part of the script that waits for `open`.
  QByteArray wait() const { return "until [ -e '" + gate.toUtf8() + "' ]; do sleep 0.02; done\n"; }
  void open() { folder.write("gate", ""); }
  bool begins(std::size_t job, const char* action) {
    bench->window->action(action)->trigger();
    return jobs[job].isRunning();
  }
  bool ends(std::size_t job) {
    return bench->waits([&] { return !jobs[job].isRunning(); });
  }

  tests::TemporaryFolder folder;
  std::unique_ptr<tests::WindowBench> bench;
  std::vector<LongJob> jobs;
  QString gate;
};

}  // namespace

class TestLongJobs : public QObject {
  Q_OBJECT
 private slots:
  void aRunHasAProgressAndEndsWithItsRate() {
    JobsBench b;
    RunResult result;
    result.figures.samples = 100;
    result.figures.samplesPerSecond.mean = 1234;
    QVERIFY(b.script(said(hello() + phaseEvent(1, {0, 2, false, 5}) + '\n' +
                          phaseEvent(6, {1, 2, false, 5}) + '\n') +
                     b.wait() + said(resultEvent(11, result, {"5", "mine"}) + '\n')));
    b.bench->window->controller().setMeasure({0, 5, 2});
    QVERIFY(b.begins(kRun, "run"));
    QVERIFY(b.bench->waits([&] { return b.jobs[kRun].progress().value_or(0) >= 0.5; }));
    b.open();
    QVERIFY(b.ends(kRun));
    const auto end = b.jobs[kRun].end();
    QVERIFY(end.has_value());
    QCOMPARE(end->title, QString("Run 5 of mine.millrace.json is done"));
    QVERIFY2(QString(end->text).replace(QChar(0xA0), ' ').startsWith("1 234 samples/s."),
             qPrintable(end->text));
  }

  void aRunByEpochsHasAProgress() {
    JobsBench b;
    RunSnapshot snapshot;
    snapshot.phase = {0, 1, false, 6};  // two seconds after its beginning
    QVERIFY(b.script(said(hello() + phaseEvent(1, {0, 1, false, 0}) + '\n' +
                          snapshotEvent(3, {}, snapshot, {}, 0) + '\n') +
                     b.wait()));
    MeasureChoice measure{0, 5, 1};
    measure.epochs = 4;
    b.bench->window->controller().setMeasure(measure);
    QVERIFY(b.begins(kRun, "run"));
    QVERIFY(b.bench->waits([&] { return b.jobs[kRun].progress() == 0.25; }));
    b.open();
    QVERIFY(b.ends(kRun));
    b.bench->window->controller().setMeasure({2, 5, 3});
  }

  void aRunThatFailsSaysSoAndAStoppedOneNothing() {
    JobsBench b;
    QVERIFY(b.script("echo 'error: the disk is gone' >&2\nexit 1\n"));
    QVERIFY(b.begins(kRun, "run"));
    QVERIFY(b.ends(kRun));
    const auto end = b.jobs[kRun].end();
    QVERIFY(end.has_value());
    QVERIFY2(end->title.endsWith("of mine.millrace.json has failed"), qPrintable(end->title));
    QVERIFY2(end->text.contains("disk is gone"), qPrintable(end->text));

    QVERIFY(b.script(said(hello()) + "read line\n"));
    QVERIFY(b.begins(kRun, "run"));
    b.bench->window->action("stop")->trigger();
    QVERIFY(b.ends(kRun));
    QVERIFY(!b.jobs[kRun].end());
  }

  void aDiagnosisThatFailsIsTitledFailed() {
    JobsBench b;
    QVERIFY(b.script("echo 'error: the disk is gone' >&2\nexit 1\n"));
    QVERIFY(b.begins(kDiagnosis, "diagnose"));
    QVERIFY(b.ends(kDiagnosis));
    const auto end = b.jobs[kDiagnosis].end();
    QVERIFY(end.has_value());
    QCOMPARE(end->title, QString("The diagnosis of mine.millrace.json has failed"));
    QVERIFY2(end->text.contains("disk is gone"), qPrintable(end->text));
  }

  void aDiagnosisHasAProgressAndAStoppedOneNoEnd() {
    JobsBench b;
    QVERIFY(b.script(said(hello() + progressEvent(2, 3, 12, 20) + '\n') + "read line\n"));
    QVERIFY(b.begins(kDiagnosis, "diagnose"));
    QVERIFY(b.bench->waits([&] { return b.jobs[kDiagnosis].progress() == 0.25; }));
    b.bench->window->diagnoses().stop();
    QVERIFY(b.ends(kDiagnosis));
    QVERIFY(!b.jobs[kDiagnosis].end());
  }

  void whatWasNeverBegunHasNoEnd() {
    JobsBench b;
    QVERIFY(b.bench->ready);
    QCOMPARE(b.jobs.size(), std::size_t{7});
    for (const std::size_t job : {kRun, kSweep, kTune, kDiagnosis}) {
      QVERIFY(!b.jobs[job].isRunning());
      QVERIFY(!b.jobs[job].end());
    }
    QVERIFY(!b.jobs[kComparison].isRunning());
    QVERIFY(!b.jobs[kComparison].progress());
  }
};

}  // namespace millrace

using millrace::TestLongJobs;
MILLRACE_TEST_CASE(TestLongJobs)
#include "tst_long_jobs.moc"
