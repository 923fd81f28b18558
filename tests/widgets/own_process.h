// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#include "tests/widgets/patience.h"

namespace millrace::tests {

/// The result of the current test function in a separate process, with `variable` set: for settings
/// that a process reads only once, such as its scale.
struct OwnProcess {
  bool passed = false;
  QByteArray said;
};

/// `file`: the file of the test function, such as "tst_main_window".
inline OwnProcess runInOwnProcess(const QString& file, const QString& variable,
                                  const QString& value) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(variable, value);
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QCoreApplication::applicationFilePath(), {file, QTest::currentTestFunction()});
  if (!process.waitForFinished(kGenerousMs)) return {false, "it does not end"};
  const bool passed = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  return {passed, process.readAll()};
}

}  // namespace millrace::tests
