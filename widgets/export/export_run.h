// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_command.h"

class QTemporaryDir;

namespace millrace {

/// What is run. Value.
struct ExportRunRequest {
  std::string code;
  QString file;         ///< its name, ending in .py
  QString entry;        ///< Exporter::entry
  QString interpreter;  ///< a path, or a name in PATH
  QString name;         ///< of the kept run
  QString store;        ///< the file; empty: the user's own
};

/// The arguments of `millrace` that measure the file at `path`.
QStringList exportRunArguments(const ExportRunRequest& request, const QString& path);

/// Measures exported code with `millrace loader` on a copy of the code in a temporary folder; the
/// run is kept. GUI thread.
class ExportRun : public QObject {
  Q_OBJECT
 public:
  explicit ExportRun(QObject* parent = nullptr);
  ~ExportRun() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_command.setProgram(program); }
  /// Call only while no child is running.
  void start(const ExportRunRequest& request);
  /// Interrupts the child; `ended` follows.
  void stop() { m_command.stop(); }
  bool isRunning() const { return m_command.isRunning(); }

 signals:
  /// `rate`: samples per second, 0 if `refusal` says why there is none.
  void ended(double rate, const QString& refusal);

 private:
  void conclude(const CommandEnd& end);
  void refuse(const QString& why);

  EngineCommand m_command{"The run"};
  std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace millrace
