// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/document_file.h"
#include "widgets/bridge/record_pipe.h"
#include "widgets/models/run_settings.h"

namespace millrace {

/// A long piece of work on a pipeline that a command of the engine does.
struct JobOrder {
  QString command;             ///< "sweep"
  QString name;                ///< of the work, in sentences: "The sweep"
  std::string pipeline;        ///< the document as saving writes it, saved or not
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
  ~EngineJob() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// After a stop was asked for, until SIGTERM, and from there until SIGKILL.
  void setPatience(int ms) { m_patienceMs = ms; }
  /// Only while none is running. What goes wrong is told by `ended`, later.
  void start(const JobOrder& order);
  /// A child that does not follow is ended.
  void stop();
  bool isRunning() const { return m_running; }
  bool isStopping() const { return m_stopping; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }

 signals:
  /// All but `hello`, `problem` and `answer`; `result` comes before `ended`.
  void event(const QJsonObject& event);
  void warned(const QString& sentence);
  /// `Failed` where no result came, or the result says so.
  void ended(const millrace::ChildEnd& end);

 private:
  Status prepare(const JobOrder& order);
  void launch(const JobOrder& order);
  void take(const RecordPipe::Slice& slice);
  void takeEvent(const QJsonObject& event);
  void readWords();
  void conclude();
  QString failure() const;
  void fail(const QString& sentence);
  void finish(ChildEnd end);

  QString m_program;
  QString m_name;
  int m_patienceMs = 4000;  ///< a trial that is interrupted has three seconds
  std::optional<DocumentFile> m_file;
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<RecordPipe> m_pipe;
  QTimer m_patience;
  QByteArray m_words;
  QString m_refusal;
  QString m_problem;
  std::optional<QString> m_outcome;  ///< of the result: finished, interrupted or failed
  QString m_reason;
  bool m_running = false;
  bool m_stopping = false;
  int m_signalsSent = 0;
};

}  // namespace millrace
