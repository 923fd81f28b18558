// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/event_pipe.h"

namespace millrace {

/// How a comparison ended.
struct CompareEnd {
  enum class Kind { Finished, Stopped, Failed };
  Kind kind = Kind::Failed;
  QString sentence;    ///< the verdict, or what went wrong
  QString verdict;     ///< "faster", "slower", "~", "too few", "not alike"; empty: there is none
  QStringList runIds;  ///< under which both sides were kept
};

/// `millrace compare --events` as a child: two pipelines measured by turns. One at a time; the
/// event loop never waits for the child. GUI thread.
class CompareProcess : public QObject {
  Q_OBJECT
 public:
  explicit CompareProcess(QObject* parent = nullptr);
  ~CompareProcess() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  /// `a`, `b`: files, examples or kept runs. `flags`: of `millrace compare`. Only while none is
  /// running; what goes wrong is told by `ended`, later.
  void start(const QString& a, const QString& b, const QStringList& flags);
  /// Whole blocks are kept. A child that does not follow is ended.
  void stop();
  bool isRunning() const { return m_running; }
  bool isStopping() const { return m_stopping; }

 signals:
  /// Blocks that are done, of how many, and the seconds that are left where they are known.
  void progressed(int done, int of, double secondsLeft);
  void warned(const QString& sentence);
  void ended(const millrace::CompareEnd& end);

 private:
  void take(const EventPipe::Slice& slice);
  void takeEvent(const StreamEvent& event);
  void takeResult(const std::string& json);
  void conclude();
  void finish(CompareEnd end);
  QString failure() const;

  QString m_program;
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<EventPipe> m_pipe;
  QTimer m_patience;
  QByteArray m_words;
  QString m_problem;
  std::optional<CompareEnd> m_result;
  bool m_running = false;
  bool m_stopping = false;
  int m_signalsSent = 0;
};

}  // namespace millrace
