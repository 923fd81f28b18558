// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "core/events/stream/run_request.h"
#include "widgets/bridge/document_file.h"
#include "widgets/bridge/event_pipe.h"

namespace millrace {

/// How a child ended. Value.
struct ChildExit {
  QString refusal;         ///< a sentence if it did not start or its stream is unreadable
  QString problem;         ///< the first error about the pipeline with its remedy, as sentences
  QString badLine;         ///< why the first unreadable line is not an event; else empty
  QString lastOutput;      ///< what it wrote for the user, at most three lines
  bool greeted = false;    ///< its output began as an event stream does
  bool crashed = false;    ///< a signal ended it
  int code = 0;            ///< that signal, else the exit code
  bool wasAsked = false;   ///< it was asked to stop
  bool wasKilled = false;  ///< because it did not stop when asked

  /// A sentence for an end whose cause is not known better: "The run ended: Out of files."
  QString lastSentence(const QString& name) const;
};

/// Runs `millrace ... --events` as a child: starting, time limits, last output and the one end. One
/// child at a time; the event loop never waits for it. The owner interprets the events. GUI thread.
class EngineChild : public QObject {
  Q_OBJECT
 public:
  /// Time from the stop request to SIGTERM, and from there to SIGKILL. Milliseconds.
  struct Patience {
    int stopMs = 4000;
    int killMs = 4000;
  };

  explicit EngineChild(QObject* parent = nullptr);
  ~EngineChild() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  void setPatience(const Patience& patience) { m_patience = patience; }

  /// Call only while no child is running. `file`: the document that the arguments name; it lives as
  /// long as the child, which works in its folder, or without one in `folder`, if that is not
  /// empty. Failures are reported later, by `ended`.
  void start(const QStringList& arguments, std::optional<DocumentFile> file = {},
             const QString& folder = {});
  /// Reports, later, the same end as that of a child that does not start.
  void fail(const QString& sentence);
  /// Asks the child on its standard input to stop, then sends signals.
  void stop();
  /// Sends a request and gives it its id.
  void request(RunRequest request);

  bool isRunning() const { return m_running; }
  bool isStopping() const { return m_stopping; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }
  /// What the child has written for the user so far, at most three lines.
  QString lastOutput() const;
  bool hasGreeted() const { return m_exit.greeted; }

 signals:
  /// The child wrote something, be it an event or not.
  void outputReceived();
  /// Emitted for every event, in order.
  void eventReceived(const millrace::ChildEvent& event);
  void ended(const millrace::ChildExit& exit);

 private:
  QString obstacle();
  void begin();
  void launch(const QStringList& arguments, const QString& folder);
  void take(const EventPipe::Slice& slice);
  void note(const StreamEvent& event);
  void readLastOutput();
  void conclude();
  void finish();

  QString m_program;
  Patience m_patience;
  std::optional<DocumentFile> m_file;
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<EventPipe> m_pipe;
  QTimer m_stopTimer;
  QByteArray m_words;
  ChildExit m_exit;
  bool m_running = false;
  bool m_stopping = false;
  int m_signalsSent = 0;
  std::int64_t m_requests = 0;
};

/// A problem's message and remedy, as sentences.
QString problemText(const Problem& problem);

}  // namespace millrace
