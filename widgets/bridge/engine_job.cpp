// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/engine_job.h"

#include <unistd.h>

#include "core/base/check.h"
#include "core/base/text.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr qsizetype kWordsKept = 4096;

/// A problem with its remedy.
QString wordsOf(const QJsonObject& problem) {
  const auto said = [&](const char* key) { return singleLine(fromQt(problem[key].toString())); };
  const std::string remedy = said("remedy");
  return sentence(said("message")) + (remedy.empty() ? QString() : ' ' + sentence(remedy));
}

}  // namespace

EngineJob::EngineJob(QObject* parent) : QObject(parent) {
  m_patience.setSingleShot(true);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    if (!m_process) return;
    if (m_signalsSent++ > 0) return m_process->kill();
    m_process->terminate();
    m_patience.start(m_patienceMs);
  });
}

EngineJob::~EngineJob() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

Status EngineJob::prepare(const JobOrder& order) {
  Result<DocumentFile> file = DocumentFile::make(order.pipeline, order.title);
  if (!file) return file.error();
  m_file = file.take();
  m_pipe = std::make_unique<RecordPipe>();
  if (!m_pipe->ok())
    return Error{fromQt(m_name) + " could not start: this program has too many open files."};
  if (m_program.isEmpty()) m_program = engineProgram();
  if (m_program.isEmpty())
    return Error{
        "The engine `millrace` is missing: it is neither beside the workbench nor on the PATH. "
        "Install both from one package."};
  return {};
}

void EngineJob::start(const JobOrder& order) {
  MILLRACE_CHECK(!m_running, "one job at a time");
  m_running = true;
  m_stopping = false;
  m_signalsSent = 0;
  m_name = order.name;
  m_words.clear();
  m_refusal.clear();
  m_problem.clear();
  m_outcome.reset();
  m_reason.clear();
  if (const Status ready = prepare(order); !ready) return fail(toQt(ready.error().message));
  launch(order);
}

void EngineJob::launch(const JobOrder& order) {
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program);
  m_process->setArguments(QStringList{order.command, m_file->argument(), "--events", "--base",
                                      order.base.empty() ? "/" : fileText(order.base)} +
                          order.flags);
  m_process->setWorkingDirectory(m_file->folder());
  m_process->setStandardOutputFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(m_pipe.get(), &RecordPipe::arrived, this, &EngineJob::take);
  connect(m_pipe.get(), &RecordPipe::ended, this, [this] {
    if (m_process->state() == QProcess::NotRunning) conclude();
  });
  connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineJob::readWords);
  connect(m_process.get(), &QProcess::started, this, [this] { m_pipe->closeWriteEnd(); });
  connect(m_process.get(), &QProcess::finished, this, [this] {
    readWords();
    m_patience.stop();
    m_pipe->isOpen() ? m_pipe->finish() : conclude();
  });
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      fail(QString("The engine %1 did not start: %2.").arg(m_program, m_process->errorString()));
  });
  m_process->start();
}

void EngineJob::stop() {
  if (!m_running || m_stopping) return;
  m_stopping = true;
  if (m_process && m_process->state() == QProcess::Running)
    m_process->write("{\"id\":1,\"request\":\"stop\"}\n");
  m_patience.start(m_patienceMs);
}

void EngineJob::readWords() {
  m_words = (m_words + m_process->readAllStandardError()).right(kWordsKept);
}

void EngineJob::take(const RecordPipe::Slice& slice) {
  if (!m_refusal.isEmpty()) return;
  if (slice.refused) {
    m_refusal = sentence(fromQt(slice.error));
    m_process->kill();
    return;
  }
  for (const QJsonObject& event : slice.events) takeEvent(event);
}

void EngineJob::takeEvent(const QJsonObject& event) {
  const QString name = event["event"].toString();
  if (name == "hello" || name == "answer") return;
  if (name == "problem") {
    const QString words = wordsOf(event);
    if (event["severity"].toString() != "error")
      emit warned(words);
    else if (m_problem.isEmpty())
      m_problem = words;
    return;
  }
  if (name == "result") {
    m_outcome = event["outcome"].toString();
    m_reason = event["reason"].toString();
  }
  emit this->event(event);
}

QString EngineJob::failure() const {
  if (!m_refusal.isEmpty()) return m_refusal;
  if (!m_problem.isEmpty()) return m_problem;
  if (!m_reason.isEmpty()) return m_name + " ended: " + sentence(fromQt(m_reason));
  if (m_process->exitStatus() == QProcess::CrashExit)
    return QString("%1 ended: the engine was ended by %2. What it measured before is kept.")
        .arg(m_name, signalWords(m_process->exitCode()));
  const QString words = lastLinesOf(m_words).section('\n', -1);
  if (!words.isEmpty()) return m_name + " ended: " + sentence(fromQt(words));
  return QString("The engine ended without a result (exit code %1).").arg(m_process->exitCode());
}

void EngineJob::conclude() {
  if (!m_running) return;
  ChildEnd end;
  end.lastWords = lastLinesOf(m_words);
  if (m_refusal.isEmpty() && m_outcome == "finished") return finish(end);
  end.kind =
      m_stopping || m_outcome == "interrupted" ? ChildEnd::Kind::Stopped : ChildEnd::Kind::Failed;
  if (end.kind == ChildEnd::Kind::Failed) end.sentence = failure();
  if (end.kind == ChildEnd::Kind::Stopped && m_signalsSent > 1)
    end.sentence = "The engine did not stop by itself and was ended.";
  finish(end);
}

void EngineJob::fail(const QString& sentence) {
  QTimer::singleShot(0, this, [this, sentence] { finish({ChildEnd::Kind::Failed, sentence, {}}); });
}

void EngineJob::finish(ChildEnd end) {
  m_patience.stop();
  // A signal of either may be on the stack.
  if (m_pipe) m_pipe->close();
  if (m_pipe) m_pipe.release()->deleteLater();
  if (m_process) m_process.release()->deleteLater();
  m_file.reset();
  m_running = m_stopping = false;
  emit ended(end);
}

}  // namespace millrace
