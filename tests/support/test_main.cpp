// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs the test class of the file named on the command line, or all of them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

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

/// No display is needed, and nothing of the person's own settings is read or written.
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

int main(int argc, char** argv) {
  Application application(argc, argv);
  QStringList arguments = application.arguments();
  std::string only;
  if (arguments.size() > 1 && arguments[1].startsWith("tst_"))
    only = arguments.takeAt(1).toStdString();
  if (!only.empty() && makers().count(only) == 0) {
    std::fprintf(stderr, "no test class registered by %s.cpp\n", only.c_str());
    return 2;
  }
  int failed = 0;
  for (const auto& [name, make] : makers())
    if (only.empty() || name == only) failed += QTest::qExec(make().get(), arguments);
  return std::min(failed, 100);
}
