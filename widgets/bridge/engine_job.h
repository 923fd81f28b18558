// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_child.h"
#include "widgets/models/run_settings.h"

namespace millrace {

/// A long piece of work on pipelines that a command of the engine does.
struct JobOrder {
  QString command;             ///< "sweep"
  QString name;                ///< of the work, in sentences: "The sweep"
  std::string pipeline;        ///< the document as saving writes it, saved or not; may be empty
  QString title;               ///< what records call it, such as its file name
  std::filesystem::path base;  ///< where relative paths start
  QStringList flags;           ///< besides the document, `--events` and `--base`
};

/// `millrace COMMAND PIPELINE --events` as a child, for commands that take `stop` alone: its events
/// as JSON, and in one sentence whatever ends it. One at a time; the event loop never waits for the
/// child. GUI thread.
class EngineJob : public QObject {
  Q_OBJECT
 public:
  explicit EngineJob(QObject* parent = nullptr);

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_child.setProgram(program); }
  void setPatience(const EngineChild::Patience& patience) { m_child.setPatience(patience); }
  /// Only while none is running. What goes wrong is told by `ended`, later.
  void start(const JobOrder& order);
  /// A child that does not follow is ended.
  void stop() { m_child.stop(); }
  bool isRunning() const { return m_child.isRunning(); }
  bool isStopping() const { return m_child.isStopping(); }
  qint64 processId() const { return m_child.processId(); }

 signals:
  /// All that have no type of their own, `progress` and `result`, which comes before `ended`.
  void told(const QJsonObject& event);
  void warned(const QString& sentence);
  /// `Failed` where no result came, or the result says so.
  void ended(const millrace::ChildEnd& end);

 private:
  void take(const ChildEvent& event);
  void conclude(const ChildLeave& leave);
  QString failure(const ChildLeave& leave) const;

  EngineChild m_child;
  QString m_name;
  std::optional<QString> m_outcome;  ///< of the result: finished, interrupted or failed
  QString m_reason;
};

}  // namespace millrace
