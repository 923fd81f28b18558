// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_command.h"

namespace millrace {

/// A user's loader. Value.
struct ChosenLoader {
  QString file;         ///< a Python file, absolute
  QString name;         ///< in it
  QString interpreter;  ///< a path, or a name in PATH

  /// "/home/me/train.py:loader", as the command line takes it.
  QString word() const { return file + ':' + name; }
  /// "train.py:loader".
  QString shown() const;
};

/// Runs `millrace import`. GUI thread.
class LoaderImport : public QObject {
  Q_OBJECT
 public:
  explicit LoaderImport(QObject* parent = nullptr);

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_command.setProgram(program); }
  /// Call only while no child is running.
  /// `output`: the pipeline's file, which must not be there.
  void start(const ChosenLoader& loader, const QString& output);
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

/// The interpreter of a virtual environment in the folder of this file; empty if there is none. It
/// touches files.
QString interpreterNextTo(const QString& file);

}  // namespace millrace
