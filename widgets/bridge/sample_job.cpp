// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/sample_job.h"

#include <unistd.h>

#include <cmath>
#include <variant>

#include "core/base/check.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kKillMs = 1000;
constexpr qsizetype kWordsKept = 4096;

}  // namespace

SampleJob::SampleJob(QObject* parent) : QObject(parent) {
  m_kill.setSingleShot(true);
  m_kill.setInterval(kKillMs);
  connect(&m_kill, &QTimer::timeout, this, [this] {
    if (m_process) m_process->kill();
  });
}

SampleJob::~SampleJob() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

void SampleJob::start(const QStringList& kinds) {
  MILLRACE_CHECK(!isAtWork() && !kinds.isEmpty(), "one job at a time, of something");
  m_kinds = kinds;
  m_stopping = false;
  startNext();
}

void SampleJob::startNext() {
  m_done = m_of = 0;
  m_secondsLeft.reset();
  m_words.clear();
  m_pipe = std::make_unique<EventPipe>();
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program.isEmpty() ? engineProgram() : m_program);
  m_process->setArguments({"sample-data", "--cache", "--kind", m_kinds.front(), "--events"});
  m_process->setStandardInputFile(QProcess::nullDevice());
  m_process->setStandardOutputFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(m_pipe.get(), &EventPipe::arrived, this, &SampleJob::take);
  connect(m_pipe.get(), &EventPipe::ended, this, [this] {
    if (m_process->state() == QProcess::NotRunning) conclude();
  });
  connect(m_process.get(), &QProcess::started, this, [this] { m_pipe->closeWriteEnd(); });
  connect(m_process.get(), &QProcess::readyReadStandardError, this,
          [this] { m_words = (m_words + m_process->readAllStandardError()).right(kWordsKept); });
  connect(m_process.get(), &QProcess::finished, this,
          [this] { m_pipe->isOpen() ? m_pipe->finish() : conclude(); });
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      leave(End::Failed, "The engine `millrace` did not start: " + m_process->errorString() +
                             ". Install it beside the workbench.");
  });
  m_process->start();
  emit progressed();
}

void SampleJob::stop() {
  if (!m_process || m_stopping) return;
  m_stopping = true;
  m_process->terminate();
  m_kill.start();
}

void SampleJob::take(const EventPipe::Slice& slice) {
  for (const StreamEvent& event : slice.events) {
    const auto* progress = std::get_if<ProgressEvent>(&event.content);
    if (progress == nullptr) continue;
    m_done = static_cast<double>(progress->done);
    m_of = static_cast<double>(progress->of);
    m_secondsLeft = progress->secondsLeft;
  }
  emit progressed();
}

QString SampleJob::words() const {
  QString text = "Drawing the sample data, only this once";
  if (m_of > 0) text += QString(": %1 of %2").arg(shownNumber(m_done), shownNumber(m_of));
  if (m_secondsLeft) text += QString(", %1 s left").arg(std::ceil(*m_secondsLeft));
  return text + '.';
}

void SampleJob::conclude() {
  if (!m_process) return;
  const bool good = m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0;
  if (good && m_kinds.size() > 1 && !m_stopping) {
    m_kinds.removeFirst();
    m_pipe.release()->deleteLater();
    m_process.release()->deleteLater();
    startNext();
    return;
  }
  if (good) return leave(End::Made);
  if (m_stopping) return leave(End::Stopped);
  QString last = lastLinesOf(m_words).section('\n', -1);
  if (last.startsWith("error: ")) last.remove(0, 7);
  leave(
      End::Failed,
      last.isEmpty()
          ? QString("The sample data could not be drawn (exit code %1).").arg(m_process->exitCode())
          : "The sample data could not be drawn: " + last);
}

void SampleJob::leave(End end, const QString& sentence) {
  m_kill.stop();
  // A signal of either may be on the stack.
  m_pipe->close();
  m_pipe.release()->deleteLater();
  m_process.release()->deleteLater();
  emit ended(end, sentence);
}

}  // namespace millrace
