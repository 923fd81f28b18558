// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/engine_child.h"

#include <unistd.h>

#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

QString problemText(const Problem& problem) {
  QString words = sentence(singleLine(problem.message));
  if (!problem.remedy.empty()) words += ' ' + sentence(singleLine(problem.remedy));
  return words;
}

QString ChildExit::lastSentence(const QString& name) const {
  QString words = lastOutput.section('\n', -1);
  if (words.startsWith("error: ")) words.remove(0, 7);
  if (!words.isEmpty()) return name + " ended: " + sentence(singleLine(fromQt(words)));
  return QString("The engine ended without a result (exit code %1).").arg(code);
}

EngineChild::EngineChild(QObject* parent) : QObject(parent) {
  m_stopTimer.setSingleShot(true);
  connect(&m_stopTimer, &QTimer::timeout, this, [this] {
    if (!m_process) return;
    if (m_signalsSent++ > 0) return m_process->kill();
    m_process->terminate();
    m_stopTimer.start(m_patience.killMs);
  });
}

EngineChild::~EngineChild() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

/// Why no child can be started, as a sentence; empty if one can.
QString EngineChild::obstacle() {
  m_pipe = std::make_unique<EventPipe>();
  if (!m_pipe->ok()) return "This program has too many open files to start the engine. Close some.";
  if (m_program.isEmpty()) m_program = engineProgram();
  return m_program.isEmpty() ? noEngineText() : QString();
}

void EngineChild::begin() {
  MILLRACE_CHECK(!m_running, "one child at a time");
  m_running = true;
  m_stopping = false;
  m_signalsSent = 0;
  m_words.clear();
  m_exit = {};
}

void EngineChild::start(const QStringList& arguments, std::optional<DocumentFile> file,
                        const QString& folder) {
  if (const QString why = obstacle(); !why.isEmpty()) return fail(why);
  begin();
  m_file = std::move(file);
  launch(arguments, m_file ? m_file->folder() : folder);
}

void EngineChild::launch(const QStringList& arguments, const QString& folder) {
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program);
  m_process->setArguments(arguments);
  m_process->setWorkingDirectory(folder);
  m_process->setStandardOutputFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(m_pipe.get(), &EventPipe::arrived, this, &EngineChild::take);
  connect(m_pipe.get(), &EventPipe::ended, this, [this] {
    if (m_process->state() == QProcess::NotRunning) conclude();
  });
  connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineChild::readLastOutput);
  connect(m_process.get(), &QProcess::started, this, [this] { m_pipe->closeWriteEnd(); });
  connect(m_process.get(), &QProcess::finished, this, [this] {
    readLastOutput();
    m_stopTimer.stop();
    m_pipe->isOpen() ? m_pipe->finish() : conclude();
  });
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    m_exit.refusal =
        QString("The engine %1 did not start: %2.").arg(m_program, m_process->errorString());
    // A signal of the process is on the stack.
    QTimer::singleShot(0, this, &EngineChild::finish);
  });
  m_process->start();
}

void EngineChild::fail(const QString& sentence) {
  begin();
  m_exit.refusal = sentence;
  QTimer::singleShot(0, this, &EngineChild::finish);
}

void EngineChild::stop() {
  if (!m_running || m_stopping) return;
  m_stopping = true;
  request(RunRequest());
  m_stopTimer.start(m_patience.stopMs);
}

void EngineChild::request(RunRequest request) {
  if (!m_process || m_process->state() != QProcess::Running) return;
  request.id = static_cast<std::int64_t>(++m_requests);
  m_process->write(QByteArray::fromStdString(requestLine(request)) + '\n');
}

QString EngineChild::lastOutput() const { return lastLinesOf(m_words); }

void EngineChild::readLastOutput() { keepLastOutput(m_words, *m_process); }

void EngineChild::take(const EventPipe::Slice& slice) {
  if (!m_exit.refusal.isEmpty()) return;
  emit outputReceived();
  if (m_exit.badLine.isEmpty()) m_exit.badLine = slice.error;
  if (slice.refused) {
    m_exit.refusal = sentence(fromQt(slice.error));
    m_process->kill();
    return;
  }
  for (const ChildEvent& event : slice.events) {
    note(event.read);
    emit eventReceived(event);
  }
}

void EngineChild::note(const StreamEvent& event) {
  if (std::holds_alternative<HelloEvent>(event.content)) m_exit.greeted = true;
  const auto* problem = std::get_if<ProblemEvent>(&event.content);
  if (problem == nullptr || problem->sample || problem->problem.severity != Severity::Error) return;
  if (m_exit.problem.isEmpty()) m_exit.problem = problemText(problem->problem);
}

void EngineChild::conclude() {
  m_exit.crashed = m_process->exitStatus() == QProcess::CrashExit;
  m_exit.code = m_process->exitCode();
  finish();
}

void EngineChild::finish() {
  if (!m_running) return;
  m_stopTimer.stop();
  m_exit.lastOutput = lastOutput();
  m_exit.wasAsked = m_stopping;
  m_exit.wasKilled = m_signalsSent > 1;
  // A signal of either may be on the stack.
  if (m_pipe) m_pipe->close();
  if (m_pipe) m_pipe.release()->deleteLater();
  if (m_process) m_process.release()->deleteLater();
  m_file.reset();
  m_running = m_stopping = false;
  const ChildExit exit = m_exit;
  emit ended(exit);
}

}  // namespace millrace
