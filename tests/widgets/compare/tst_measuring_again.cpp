// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs, #long-work, #documents: two runs are measured again in
// alternation.
#include <filesystem>
#include <fstream>

#include <QAction>
#include <QPushButton>

#include "tests/support/places.h"
#include "tests/support/test_case.h"
#include "tests/widgets/compare_area.h"
#include "widgets/compare/measure_again.h"

namespace millrace {

namespace {

using tests::addThree;
using tests::kGenerousMs;
using Area = tests::CompareArea;

}  // namespace

class TestMeasuringAgain : public QObject {
  Q_OBJECT
 private slots:
  void runsWithMissingDataAreNotMeasuredAgain() {
    const tests::KeptStore kept;
    kept.add({.name = "two", .workers = 2});
    kept.add({.name = "four", .workers = 4});
    kept.add({.name = "moved", .pictures = (kept.folder() / "gone").string()});
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    const QAction* measure = a.page().action("measure");
    QVERIFY(!measure->isEnabled());
    QVERIFY2(measure->toolTip().startsWith("Run 3 reads ") && measure->toolTip().contains("gone"),
             qPrintable(measure->toolTip()));
    QVERIFY(a.compares({RunNumber{1}, RunNumber{2}}));
    QVERIFY(measure->isEnabled());
  }

  void bothAreMeasuredAgainTogether() {
    const tests::KeptStore kept;
    kept.add({.name = "two", .workers = 2});
    kept.add({.name = "one", .workers = 1});
    Area a(kept.file());
    QVERIFY(a.ready);
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(tests::kMillrace);
    measure.setFlags({"--seconds", "0.05", "--warmup", "0", "--repeats", "5"});
    QSignalSpy measured(&measure, &MeasureAgain::measured);
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY(measured.wait(kGenerousMs));
    QVERIFY2(!measure.verdict().isEmpty(), qPrintable(measure.words()));
    QVERIFY2(measure.words().contains("Kept as runs 3 and 4"), qPrintable(measure.words()));
    QVERIFY(QTest::qWaitFor([&] { return a.page().model().rowCount() == 4; }, kGenerousMs));
  }

  void measuringShowsProgressAndCanBeStopped() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(tests::kMillrace);
    measure.setFlags({"--seconds", "1000"});
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY2(QTest::qWaitFor([&] { return measure.words().contains("block 1 of"); }, kGenerousMs),
             qPrintable(measure.words()));
    QVERIFY2(measure.words().contains("left"), qPrintable(measure.words()));
    measure.stop();
    QVERIFY(QTest::qWaitFor([&] { return !measure.job().isRunning(); }, kGenerousMs));
    QVERIFY2(measure.words().contains("topped"), qPrintable(measure.words()));
  }

  void codeOfKeptRunsIsAskedForFirst() {
    if (!QFile::exists("/usr/bin/python3")) QSKIP("there is no /usr/bin/python3");
    const tests::KeptStore kept;
    const std::filesystem::path ran = kept.folder() / "ran";
    const std::filesystem::path mine = kept.folder() / "mine.py";
    std::ofstream(mine) << "open(\"" << ran.string()
                        << "\", \"a\").close()\ndef same(features):\n    return features\n";
    kept.add({.name = "plain"});
    kept.add({.name = "own", .python = mine.string()});
    Area a(kept.file());
    QVERIFY(a.ready);
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(tests::kMillrace);
    measure.setFlags({"--seconds", "0.05", "--warmup", "0", "--repeats", "1"});
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY(QTest::qWaitFor([&] { return !measure.isRunning(); }, kGenerousMs));
    QVERIFY2(measure.words().contains("mine.py") && measure.words().endsWith("Run it?"),
             qPrintable(measure.words()));
    QVERIFY(!std::filesystem::exists(ran));
    measure.findChild<QPushButton*>("measure_allow")->click();
    QVERIFY(measure.isRunning());
    QVERIFY(QTest::qWaitFor([&] { return !measure.isRunning(); }, kGenerousMs));
    QVERIFY2(std::filesystem::exists(ran), qPrintable(measure.words()));
    // The same content is not asked for again.
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY(QTest::qWaitFor([&] { return measure.job().isRunning(); }, kGenerousMs));
    measure.stop();
    QVERIFY(QTest::qWaitFor([&] { return !measure.isRunning(); }, kGenerousMs));
  }

  void anImpossibleMeasurementIsExplained() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(tests::kMillrace);
    measure.start(RunNumber{1}, RunNumber{77});
    QVERIFY(QTest::qWaitFor([&] { return !measure.isRunning(); }, kGenerousMs));
    QVERIFY2(measure.words().contains("no run \"77\""), qPrintable(measure.words()));
    QVERIFY2(measure.words().contains("77"), qPrintable(measure.words()));
    measure.setObstacle([] { return QString("A run goes on."); });
    measure.start(RunNumber{1}, RunNumber{2});
    QCOMPARE(measure.words(), QString("A run goes on."));
  }
};

}  // namespace millrace

using millrace::TestMeasuringAgain;
MILLRACE_TEST_CASE(TestMeasuringAgain)
#include "tst_measuring_again.moc"
