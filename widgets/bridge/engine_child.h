// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/document_file.h"
#include "widgets/bridge/event_pipe.h"

namespace millrace {

/// What a child left when it was over. Value.
struct ChildLeave {
  QString refusal;         ///< a sentence: it did not start, or its stream cannot be read
  QString problem;         ///< the first error about the pipeline with its remedy, as sentences
  QString badLine;         ///< why the first line that is no event is none; empty: all are
  QString lastWords;       ///< that it wrote for a person, at most three lines
  bool greeted = false;    ///< it began as an event stream does
  bool crashed = false;    ///< a signal ended it
  int code = 0;            ///< that signal, else the exit code
  bool wasAsked = false;   ///< to stop
  bool wasKilled = false;  ///< because it did not follow

  /// How it ended where nothing better is known: "The run ended: Out of files."
  QString lastSentence(const QString& name) const;
};

/// `millrace ... --events` as a child: start, patience, last words and the one end. One at a time;
/// the event loop never waits for the child. What its events mean is the owner's business. GUI
/// thread.
class EngineChild : public QObject {
  Q_OBJECT
 public:
  /// After a stop was asked for: until SIGTERM, and from there until SIGKILL. Milliseconds.
  struct Patience {
    int stopMs = 4000;
    int killMs = 4000;
  };

  explicit EngineChild(QObject* parent = nullptr);
  ~EngineChild() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  void setPatience(const Patience& patience) { m_patience = patience; }

  /// Only while none is running. `file`: what the arguments name; it lives as long as the child,
  /// which works in its folder. What goes wrong is told by `ended`, later.
  void start(const QStringList& arguments, std::optional<DocumentFile> file = {});
  /// The same end as that of a child that does not start, later.
  void fail(const QString& sentence);
  /// By a request on its standard input, then by signals.
  void stop();
  /// `content`: of the JSON object, behind its `id`.
  void request(const QByteArray& content);

  bool isRunning() const { return m_running; }
  bool isStopping() const { return m_stopping; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }
  /// What it wrote for a person by now, at most three lines.
  QString lastWords() const;
  bool hasGreeted() const { return m_leave.greeted; }

 signals:
  /// Something came, be it an event or not.
  void heard();
  /// Every event, in order.
  void told(const millrace::ChildEvent& event);
  void ended(const millrace::ChildLeave& leave);

 private:
  QString obstacle();
  void begin();
  void launch(const QStringList& arguments);
  void take(const EventPipe::Slice& slice);
  void note(const StreamEvent& event);
  void readWords();
  void conclude();
  void finish();

  QString m_program;
  Patience m_patience;
  std::optional<DocumentFile> m_file;
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<EventPipe> m_pipe;
  QTimer m_stopTimer;
  QByteArray m_words;
  ChildLeave m_leave;
  bool m_running = false;
  bool m_stopping = false;
  int m_signalsSent = 0;
  std::int64_t m_requests = 0;
};

/// A problem's words and its remedy's, as sentences.
QString problemWords(const Problem& problem);

}  // namespace millrace
