// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/compare_process.h"

#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/check.h"
#include "core/base/text.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kPatienceMs = 3000;  ///< a stop finishes what a repeat has begun, at most a second
constexpr qsizetype kWordsKept = 4096;

}  // namespace

CompareProcess::CompareProcess(QObject* parent) : QObject(parent) {
  m_patience.setSingleShot(true);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    if (!m_process) return;
    if (m_signalsSent++ > 0) return m_process->kill();
    m_process->terminate();
    m_patience.start(kPatienceMs);
  });
}

CompareProcess::~CompareProcess() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

void CompareProcess::start(const QString& a, const QString& b, const QStringList& flags) {
  MILLRACE_CHECK(!m_running, "one comparison at a time");
  m_running = true;
  m_stopping = false;
  m_signalsSent = 0;
  m_words.clear();
  m_problem.clear();
  m_result.reset();
  if (m_program.isEmpty()) m_program = engineProgram();
  m_pipe = std::make_unique<EventPipe>();
  const auto fail = [this](const QString& sentence) {
    QTimer::singleShot(0, this,
                       [this, sentence] { finish({CompareEnd::Kind::Failed, sentence, {}, {}}); });
  };
  if (m_program.isEmpty() || !m_pipe->ok())
    return fail(m_program.isEmpty()
                    ? "The engine `millrace` is missing: it is neither beside the workbench nor on "
                      "the PATH. Install both from one package."
                    : "The comparison could not start: this program has too many open files.");
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program);
  m_process->setArguments(QStringList{"compare", a, b, "--events"} + flags);
  m_process->setStandardOutputFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(m_pipe.get(), &EventPipe::arrived, this, &CompareProcess::take);
  connect(m_pipe.get(), &EventPipe::ended, this, [this] {
    if (m_process->state() == QProcess::NotRunning) conclude();
  });
  connect(m_process.get(), &QProcess::readyReadStandardError, this,
          [this] { m_words = (m_words + m_process->readAllStandardError()).right(kWordsKept); });
  connect(m_process.get(), &QProcess::started, this, [this] { m_pipe->closeWriteEnd(); });
  connect(m_process.get(), &QProcess::finished, this, [this] {
    m_patience.stop();
    m_pipe->isOpen() ? m_pipe->finish() : conclude();
  });
  connect(
      m_process.get(), &QProcess::errorOccurred, this, [this, fail](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
          fail(
              QString("The engine %1 did not start: %2.").arg(m_program, m_process->errorString()));
      });
  m_process->start();
}

void CompareProcess::stop() {
  if (!m_running || m_stopping) return;
  m_stopping = true;
  if (m_process && m_process->state() == QProcess::Running)
    m_process->write("{\"id\":1,\"request\":\"stop\"}\n");
  m_patience.start(kPatienceMs);
}

void CompareProcess::take(const EventPipe::Slice& slice) {
  if (slice.refused && m_process) {
    m_problem = sentence(fromQt(slice.errors.front()));
    m_process->kill();
    return;
  }
  for (const StreamEvent& event : slice.events) takeEvent(event);
}

void CompareProcess::takeEvent(const StreamEvent& event) {
  if (const auto* progress = std::get_if<ProgressEvent>(&event.content))
    emit progressed(static_cast<int>(progress->done), static_cast<int>(progress->of),
                    progress->secondsLeft.value_or(-1));
  if (const auto* problem = std::get_if<ProblemEvent>(&event.content)) {
    QString words = sentence(singleLine(problem->problem.message));
    if (!problem->problem.remedy.empty())
      words += ' ' + sentence(singleLine(problem->problem.remedy));
    if (problem->problem.severity == Severity::Error) {
      if (m_problem.isEmpty()) m_problem = words;
    } else {
      emit warned(words);
    }
  }
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) takeResult(result->json);
}

void CompareProcess::takeResult(const std::string& json) {
  const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
  const QJsonObject verdict = object["verdict"].toObject();
  CompareEnd end;
  const QString outcome = object["outcome"].toString();
  end.kind = outcome == "finished"      ? CompareEnd::Kind::Finished
             : outcome == "interrupted" ? CompareEnd::Kind::Stopped
                                        : CompareEnd::Kind::Failed;
  end.verdict = verdict["kind"].toString();
  end.sentence = sentence(fromQt(verdict["sentence"].toString()));
  if (end.kind == CompareEnd::Kind::Failed) {
    end.verdict.clear();
    end.sentence = "The comparison ended: " + sentence(fromQt(object["reason"].toString()));
  }
  for (const char* side : {"a", "b"}) {
    const QString id = object[side].toObject()["run_id"].toString();
    if (!id.isEmpty()) end.runIds << id;
  }
  m_result = end;
}

QString CompareProcess::failure() const {
  if (!m_problem.isEmpty()) return m_problem;
  if (m_process->exitStatus() == QProcess::CrashExit)
    return QString("The comparison ended: the engine was ended by %1. Whole blocks are kept.")
        .arg(signalWords(m_process->exitCode()));
  const QList<QByteArray> lines = m_words.trimmed().split('\n');
  if (!lines.last().isEmpty())
    return "The comparison ended: " +
           sentence(singleLine(
               {lines.last().constData(), static_cast<std::size_t>(lines.last().size())}));
  return QString("The engine ended without a result (exit code %1).").arg(m_process->exitCode());
}

void CompareProcess::conclude() {
  if (!m_running) return;
  m_words += m_process->readAllStandardError();
  if (m_result) return finish(*m_result);
  CompareEnd end;
  end.kind = m_stopping ? CompareEnd::Kind::Stopped : CompareEnd::Kind::Failed;
  end.sentence = m_stopping ? "Stopped before the first block was measured." : failure();
  finish(end);
}

void CompareProcess::finish(CompareEnd end) {
  m_patience.stop();
  // A signal of either may be on the stack.
  if (m_pipe) m_pipe->close();
  if (m_pipe) m_pipe.release()->deleteLater();
  if (m_process) m_process.release()->deleteLater();
  m_running = m_stopping = false;
  emit ended(end);
}

}  // namespace millrace
