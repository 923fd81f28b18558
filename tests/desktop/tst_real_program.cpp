// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The workbench as the user runs it: on a screen with a window manager, with mouse and keys. All
// other tests run on Qt's offscreen platform, where windows and focus are simulated.
#include <fcntl.h>
#include <unistd.h>

#include <functional>

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr int kGenerousMs = 45000;

/// An invisible screen with a window manager.
class Screen {
 public:
  /// Why there is no screen; empty if there is one.
  QString start(QProcessEnvironment& environment) {
    for (const char* program : {"Xvfb", "openbox", "xdotool"})
      if (QStandardPaths::findExecutable(program).isEmpty())
        return QString("%1 is not installed: apt install xvfb openbox xdotool").arg(program);
    // The server chooses a free number and writes it to the pipe.
    int ends[2] = {};
    if (pipe(ends) != 0) return "no pipe";
    m_server.setProcessChannelMode(QProcess::ForwardedChannels);
    m_server.start("Xvfb", {"-displayfd", QString::number(ends[1]), "-screen", "0", "1400x900x24",
                            "-nolisten", "tcp", "-noreset"});
    const bool started = m_server.waitForStarted(kGenerousMs);
    close(ends[1]);
    QFile number;
    if (!started || !number.open(ends[0], QIODevice::ReadOnly, QFile::AutoCloseHandle))
      return "Xvfb does not start";
    const QByteArray display = number.readLine().trimmed();
    if (display.isEmpty()) return "Xvfb found no free display";
    environment.insert("DISPLAY", ":" + QString::fromLatin1(display));
    m_manager.setProcessEnvironment(environment);
    m_manager.start("openbox", {"--sm-disable"});
    return m_manager.waitForStarted(kGenerousMs) ? QString() : "openbox does not start";
  }
  ~Screen() {
    for (QProcess* process : {&m_manager, &m_server}) {
      process->terminate();
      process->waitForFinished(5000);
    }
  }

 private:
  QProcess m_server;
  QProcess m_manager;
};

/// The program with a temporary home, operated by mouse and keys.
class Workbench {
 public:
  Workbench() {
    environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"})
      environment.insert(name, m_home.path());
    // Generating the sample data takes seconds, so it is kept for the next test.
    environment.insert("XDG_CACHE_HOME", MILLRACE_BINARY_DIR "/sample-cache");
    environment.insert("QT_QPA_PLATFORM", "xcb");
    environment.remove("WAYLAND_DISPLAY");
    environment.remove("QT_SCALE_FACTOR");
  }
  void start() {
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::ForwardedChannels);
    program.start(MILLRACE_WORKBENCH, QStringList{"--size", "1300x800"});
  }
  QString path(const QString& name) const { return m_home.filePath(name); }

  QString output(const QString& command, const QStringList& arguments) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(command, arguments);
    if (!process.waitForFinished(kGenerousMs)) process.kill();
    return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
  }
  void hands(const QStringList& arguments) { output("xdotool", arguments); }
  void keys(const QString& chord) { hands({"key", "--clearmodifiers", chord}); }
  void type(const QString& text) { hands({"type", "--delay", "15", text}); }
  /// The title of the window that has the keyboard focus.
  QString title() { return output("xdotool", {"getactivewindow", "getwindowname"}); }
  /// Checks five times a second, because each check starts a process.
  static bool soon(const std::function<bool()>& condition) {
    QDeadlineTimer deadline(kGenerousMs);
    while (!condition()) {
      if (deadline.hasExpired()) return false;
      QTest::qWait(200);
    }
    return true;
  }
  /// A window that appears before its window manager may never get the keyboard focus.
  bool hasManager() {
    return soon([&] { return output("xdotool", {"get_num_desktops"}).toInt() > 0; });
  }
  bool titleBecomes(const QString& part) {
    return soon([&] { return title().contains(part); });
  }
  QJsonObject lastRun() {
    const QString json = output(MILLRACE_BINARY, {"runs", "list", "--json"});
    const QJsonDocument list = QJsonDocument::fromJson(json.toUtf8());
    const QJsonArray runs = list.isArray() ? list.array() : list.object()["runs"].toArray();
    return runs.isEmpty() ? QJsonObject() : runs[0].toObject();
  }

  QProcessEnvironment environment;
  QProcess program;

 private:
  QTemporaryDir m_home;
};

}  // namespace

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

    // Opens an example with the action palette.
    bench.keys("ctrl+shift+p");
    bench.type("open example classification");
    bench.keys("Return");
    QVERIFY2(bench.titleBecomes("classification"), qPrintable(bench.title()));

    // A rectangle drawn with the mouse selects the nodes inside; arrow keys move them.
    const QStringList place =
        bench.output("xdotool", {"getactivewindow", "getwindowgeometry", "--shell"}).split('\n');
    int left = 0;
    int top = 0;
    for (const QString& line : place) {
      if (line.startsWith("X=")) left = line.mid(2).toInt();
      if (line.startsWith("Y=")) top = line.mid(2).toInt();
    }
    const auto at = [&](int x, int y) {
      return QStringList{QString::number(left + x), QString::number(top + y)};
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
};

}  // namespace millrace

using millrace::TestRealProgram;
MILLRACE_TEST_CASE(TestRealProgram)
#include "tst_real_program.moc"
