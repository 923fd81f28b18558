// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QJsonObject>
#include <QObject>
#include <QStringList>

class QProcess;

namespace millrace {

/// What a user's loader is imported from and to. Value.
struct LoaderImportRequest {
  QString file;         ///< a Python file
  QString name;         ///< in it
  QString interpreter;  ///< a path, or a name in PATH
  QString output;       ///< the pipeline's file, which must not be there
};

/// Runs `millrace import` as a child. GUI thread; never waits.
class LoaderImport : public QObject {
  Q_OBJECT
 public:
  explicit LoaderImport(QObject* parent = nullptr);
  ~LoaderImport() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// Call only while no child is running.
  void start(const LoaderImportRequest& request);
  /// Interrupts the child; `ended` follows.
  void stop();
  bool isRunning() const { return m_process != nullptr; }

 signals:
  /// `result`: what the child printed (docs/translation.md). `refusal`: why there is none, as a
  /// sentence; further lines are the user's code.
  void ended(const QJsonObject& result, const QString& refusal);

 private:
  void conclude();

  QString m_program;
  std::unique_ptr<QProcess> m_process;
  bool m_stopped = false;
};

/// The names in a Python file that may be a loader: variables, and functions without arguments, at
/// its top level, those first whose line names a loader or a data set. Pure.
QStringList loaderNames(const QString& python);

}  // namespace millrace
