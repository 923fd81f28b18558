// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_command.h"

namespace millrace {

/// What a user's loader is imported from and to. Value.
struct LoaderImportRequest {
  QString file;         ///< a Python file
  QString name;         ///< in it
  QString interpreter;  ///< a path, or a name in PATH
  QString output;       ///< the pipeline's file, which must not be there
};

/// Runs `millrace import`. GUI thread.
class LoaderImport : public QObject {
  Q_OBJECT
 public:
  explicit LoaderImport(QObject* parent = nullptr);

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_command.setProgram(program); }
  /// Call only while no child is running.
  void start(const LoaderImportRequest& request);
  /// Interrupts the child; `ended` follows.
  void stop() { m_command.stop(); }
  bool isRunning() const { return m_command.isRunning(); }

 signals:
  /// `result`: what the child printed (docs/translation.md). `refusal`: why there is none, as a
  /// sentence; further lines are the user's code.
  void ended(const QJsonObject& result, const QString& refusal);

 private:
  EngineCommand m_command{"The import"};
};

/// The names in a Python file that may be a loader: variables, and functions without arguments, at
/// its top level, those first whose line names a loader or a data set. Pure.
QStringList loaderNames(const QString& python);

}  // namespace millrace
