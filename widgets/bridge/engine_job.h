// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_child.h"
#include "widgets/models/live/run_settings.h"

namespace millrace {

/// A long job on a pipeline, done by a command of the engine.
struct JobOrder {
  QString command;             ///< "sweep"
  QString name;                ///< of the job, in sentences: "The sweep"
  std::string pipeline;        ///< the document as saving writes it, saved or not; may be empty
  QString title;               ///< its name in records, such as the file name
  std::filesystem::path base;  ///< where relative paths start
  QStringList flags;           ///< in addition to the document, `--events` and `--base`
};

/// Runs `millrace COMMAND PIPELINE --events` as a child, for commands whose only request is `stop`.
/// It passes on the events and reports every failure in one sentence. One job at a time;
/// the event loop never waits for the child. GUI thread.
class EngineJob : public QObject {
  Q_OBJECT
 public:
  explicit EngineJob(QObject* parent = nullptr);

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_child.setProgram(program); }
  void setPatience(const EngineChild::Patience& patience) { m_child.setPatience(patience); }
  /// Call only while no job is running. Failures are reported later, by `ended`.
  void start(const JobOrder& order);
  /// A child that does not stop when asked is killed.
  void stop() { m_child.stop(); }
  bool isRunning() const { return m_child.isRunning(); }
  bool isStopping() const { return m_child.isStopping(); }
  qint64 processId() const { return m_child.processId(); }

 signals:
  /// Every event, in order; `result` comes before `ended`.
  void heard(const millrace::StreamEvent& event);
  /// The same as JSON: events that have no C++ type, `progress`, `waiting` and `result`.
  void eventReceived(const QJsonObject& event);
  void warned(const QString& sentence);
  /// `Failed` if no result came or if the result reports failure.
  void ended(const millrace::ChildEnd& end);

 private:
  void take(const ChildEvent& event);
  void conclude(const ChildExit& exit);
  QString failure(const ChildExit& exit) const;

  EngineChild m_child;
  QString m_name;
  std::optional<RunOutcome> m_outcome;  ///< of the result
  QString m_reason;
};

}  // namespace millrace
