// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The workbench as the user runs it: on a screen with a window manager, with mouse and keys. All
// other tests run on Qt's offscreen platform, where windows and focus are simulated.
#include "tests/desktop/desktop_bench.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::kGenerousMs;
using tests::Screen;
using tests::Workbench;

class TestRealProgram : public QObject {
  Q_OBJECT
 private slots:
  void anExampleIsOpenedRunStoppedSavedAndLeft() {
    Workbench bench;
    Screen screen;
    if (const QString why = screen.start(bench.environment); !why.isEmpty()) QSKIP(qPrintable(why));
    QVERIFY2(bench.hasManager(), "openbox does not take the screen");
    bench.start();
    QVERIFY2(bench.titleBecomes("Millrace"), "the window does not appear");
    bench.hands({"getactivewindow", "windowmove", "--sync", "20", "40"});

    // The tour of the first start is left.
    bench.keys("Escape");
    // Opens an example with the action palette.
    bench.keys("ctrl+shift+p");
    bench.type("open example classification");
    bench.keys("Return");
    QVERIFY2(bench.titleBecomes("classification"), qPrintable(bench.title()));

    // A rectangle drawn with the mouse selects the nodes inside; arrow keys move them.
    const QRect place = bench.placeOf(bench.output("xdotool", {"getactivewindow"}));
    const auto at = [&](int x, int y) {
      return QStringList{QString::number(place.x() + x), QString::number(place.y() + y)};
    };
    bench.hands(QStringList{"mousemove"} + at(262, 130) + QStringList{"mousedown", "1"});
    bench.hands(QStringList{"mousemove"} + at(500, 300));
    bench.hands(QStringList{"mousemove"} + at(950, 560) + QStringList{"mouseup", "1"});
    bench.keys("ctrl+Right");
    QVERIFY2(bench.titleBecomes("*"), qPrintable(bench.title()));

    // Runs, and stops before the end.
    bench.keys("F5");
    QVERIFY(bench.soon([&] { return bench.lastRun()["state"] == "running"; }));
    bench.keys("shift+F5");
    QVERIFY(bench.soon([&] { return bench.lastRun()["state"] != "running"; }));
    QCOMPARE(bench.lastRun()["state"].toString(), QString("interrupted"));

    // Saves under a name.
    bench.keys("ctrl+s");
    QVERIFY2(bench.titleBecomes("Save pipeline"), qPrintable(bench.title()));
    bench.keys("ctrl+a");
    bench.type(bench.path("mine.millrace.json"));
    bench.keys("Return");
    QVERIFY(bench.soon([&] { return QFile::exists(bench.path("mine.millrace.json")); }));
    QVERIFY2(bench.titleBecomes("mine.millrace.json"), qPrintable(bench.title()));

    bench.keys("ctrl+q");
    QVERIFY(bench.program.waitForFinished(kGenerousMs));
    QCOMPARE(bench.program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(bench.program.exitCode(), 0);
  }

  void aDialogOpensAtTheSamePlaceEachTime() {
    Workbench bench;
    Screen screen;
    if (const QString why = screen.start(bench.environment); !why.isEmpty()) QSKIP(qPrintable(why));
    QVERIFY2(bench.hasManager(), "openbox does not take the screen");
    bench.start({"classification"});
    QVERIFY2(bench.titleBecomes("classification"), "the window does not appear");
    QList<QRect> places;
    for (int i = 0; i < 4; ++i) {
      bench.keys("F1");
      QVERIFY2(bench.titleBecomes("Help"), qPrintable(bench.title()));
      places << bench.placeOf(bench.output("xdotool", {"getactivewindow"}));
      bench.keys("Escape");
      QVERIFY2(bench.titleBecomes("classification"), qPrintable(bench.title()));
    }
    for (const QRect& place : places) QCOMPARE(place, places[0]);
    bench.keys("ctrl+q");
    QVERIFY(bench.program.waitForFinished(kGenerousMs));
  }

  void withoutADisplayItSaysWhatToDoAndWrongArgumentsAreNamed() {
    Workbench bench;
    bench.environment.insert("DISPLAY", ":4711");
    QProcess program;
    program.setProcessEnvironment(bench.environment);
    program.start(tests::kWorkbench, QStringList());
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 2);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.startsWith("error: the workbench cannot open a window: could not connect to "
                             "display :4711"),
             said.constData());
    QVERIFY2(!said.contains("einstall"), said.constData());
    bench.environment.insert("QT_QPA_PLATFORM", "offscreen");
    program.setProcessEnvironment(bench.environment);
    program.start(tests::kWorkbench, {"--select", "no_such_node", "classification"});
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.exitCode(), 2);
    const QByteArray unknown = program.readAllStandardError();
    QVERIFY2(unknown.contains("error: --select no_such_node: there is no such node") &&
                 unknown.contains("decode"),
             unknown.constData());
    program.start(tests::kWorkbench, {"--help"});
    QVERIFY(program.waitForFinished(kGenerousMs));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(program.readAllStandardOutput().contains("--screenshot"));
  }
};

}  // namespace millrace

using millrace::TestRealProgram;
MILLRACE_TEST_CASE(TestRealProgram)
#include "tst_real_program.moc"
