// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QJsonObject>
#include <QObject>
#include <QStringList>

class QProcess;

namespace millrace {

/// What a command of the engine has left. Value.
struct CommandEnd {
  QJsonObject printed;     ///< the object on its standard output; empty if it printed none
  bool succeeded = false;  ///< exit code 0
  QString words;           ///< if it has no result: why, in the names of the window's fields
};

/// Runs one `millrace COMMAND ... --json` at a time as a child, and can interrupt it. Commands
/// with events are EngineChild's. GUI thread; never waits, except for a child that it kills.
class EngineCommand : public QObject {
  Q_OBJECT
 public:
  /// `name` begins the sentence about a crash: "The run".
  explicit EngineCommand(QString name, QObject* parent = nullptr);
  ~EngineCommand() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// Call only while no child is running. `folder`: where it works; empty: this program's.
  void start(const QStringList& arguments, const QString& folder = {});
  /// Interrupts the child; `ended` follows.
  void stop();
  bool isRunning() const { return m_process != nullptr; }

 signals:
  void ended(const millrace::CommandEnd& end);

 private:
  void conclude();

  const QString m_name;
  QString m_program;
  std::unique_ptr<QProcess> m_process;
  bool m_stopped = false;
};

}  // namespace millrace
