// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs the test class of the file named on the command line, or all of them, each in a separate
// process; -classes prints their names.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <QProcess>

#include "tests/support/sanitizers.h"
#include "tests/support/test_case.h"

#ifdef MILLRACE_GUI_TESTS
#include <QApplication>
#include <QTemporaryDir>

#include "widgets/common/theme.h"
#endif

namespace {

using Makers = std::map<std::string, std::function<std::unique_ptr<QObject>()>>;

Makers& makers() {
  static Makers all;
  return all;
}

}  // namespace

namespace millrace::tests {

Registration::Registration(const char* file, std::function<std::unique_ptr<QObject>()> make) {
  makers()[std::filesystem::path(file).stem().string()] = std::move(make);
}

}  // namespace millrace::tests

#ifdef MILLRACE_GUI_TESTS

namespace {

/// Needs no display, and does not read or write the user's settings.
class GuiApplication {
 public:
  GuiApplication(int& argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const char* home :
         {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
      qputenv(home, m_home.path().toLocal8Bit());
    m_application = std::make_unique<QApplication>(argc, argv);
    millrace::applyTheme(millrace::Appearance::Light);
  }
  QStringList arguments() const { return QCoreApplication::arguments(); }

 private:
  QTemporaryDir m_home;
  std::unique_ptr<QApplication> m_application;
};

}  // namespace

using Application = GuiApplication;
#else
using Application = QCoreApplication;
#endif

namespace {

/// If a class skips all of its functions, QtTest silently runs none of the next class either. Only
/// the end of the process resets that.
int runEachApart(const QStringList& arguments) {
  int failed = 0;
  for (const auto& [name, make] : makers()) {
    const QStringList its = QStringList{QString::fromStdString(name)} + arguments.mid(1);
    const int code = QProcess::execute(QCoreApplication::applicationFilePath(), its);
    failed += code < 0 ? 1 : code;
  }
  return failed;
}

/// QThread::wait() returns a moment before the thread has ended. Until then, only a register of the
/// ending thread may refer to the thread's data, and the leak check at exit would report them.
void waitForEndingThreads() {
  if (!millrace::tests::kAddressSanitizer) return;
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  for (int waits = 0; threads() > 1 && waits < 100; ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

int main(int argc, char** argv) {
  Application application(argc, argv);
  QStringList arguments = application.arguments();
  if (arguments.value(1) == "-classes") {
    for (const auto& [name, make] : makers()) std::puts(name.c_str());
    return 0;
  }
  if (!arguments.value(1).startsWith("tst_")) return std::min(runEachApart(arguments), 100);
  const std::string only = arguments.takeAt(1).toStdString();
  const auto found = makers().find(only);
  if (found == makers().end()) {
    std::fprintf(stderr, "no test class registered by %s.cpp\n", only.c_str());
    return 2;
  }
  const int failed = QTest::qExec(found->second().get(), arguments);
  waitForEndingThreads();
  return std::min(failed, 100);
}
