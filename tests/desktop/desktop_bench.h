// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <functional>

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRect>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/places.h"

namespace millrace::tests {

// The first run generates its sample data, which takes 40 s in an address build that has the
// machine to itself.
inline constexpr int kGenerousMs = 150000;

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
    environment.insert("XDG_CACHE_HOME", QString(tests::kBinaryFolder) + "/sample-cache");
    environment.insert("QT_QPA_PLATFORM", "xcb");
    environment.remove("WAYLAND_DISPLAY");
    environment.remove("QT_SCALE_FACTOR");
  }
  void start(const QStringList& arguments = {}) {
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::ForwardedChannels);
    program.start(tests::kWorkbench, QStringList{"--size", "1300x800"} + arguments);
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
  static bool soon(const std::function<bool()>& condition, int limitMs = kGenerousMs) {
    QDeadlineTimer deadline(limitMs);
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
  /// Where a window lies on the screen, without its frame.
  QRect placeOf(const QString& window) {
    const QStringList lines =
        output("xdotool", {"getwindowgeometry", "--shell", window}).split('\n');
    QMap<QString, int> values;
    for (const QString& line : lines)
      values[line.section('=', 0, 0)] = line.section('=', 1).toInt();
    return {values["X"], values["Y"], values["WIDTH"], values["HEIGHT"]};
  }
  QJsonObject lastRun() {
    const QString json = output(tests::kMillrace, {"runs", "list", "--json"});
    const QJsonDocument list = QJsonDocument::fromJson(json.toUtf8());
    const QJsonArray runs = list.isArray() ? list.array() : list.object()["runs"].toArray();
    return runs.isEmpty() ? QJsonObject() : runs[0].toObject();
  }

  QProcessEnvironment environment;
  QProcess program;

 private:
  QTemporaryDir m_home;
};

}  // namespace millrace::tests
