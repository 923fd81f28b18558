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

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
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
