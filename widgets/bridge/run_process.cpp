// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_process.h"

#include <unistd.h>

#include <csignal>
#include <utility>

#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr qsizetype kWordsKept = 4096;
constexpr int kExitBadUsage = 2;

QStringList measureFlags(const MeasureChoice& measure) {
  return {"--warmup",  QString::number(measure.warmupSeconds),
          "--seconds", QString::number(measure.seconds),
          "--repeats", QString::number(measure.repeats)};
}

}  // namespace

RunProcess::RunProcess(QObject* parent) : QObject(parent), m_killCounter(outOfMemoryKills) {
  m_stopTimer.setSingleShot(true);
  connect(&m_stopTimer, &QTimer::timeout, this, [this] {
    if (!m_process) return;
    if (m_signalsSent++ > 0) {
      m_process->kill();
      return;
    }
    m_process->terminate();
    m_stopTimer.start(m_patience.killMs);
  });
  m_silence.setSingleShot(true);
  connect(&m_silence, &QTimer::timeout, this, [this] {
    m_isSilent = true;
    const QString words = lastLinesOf(m_words);
    const QString said = words.isEmpty() ? QString() : " It said: " + words.section('\n', -1);
    emit silent(m_greeted ? QString("The engine has said nothing for %1 s. Stop ends it.%2")
                                .arg(m_patience.silenceMs / 1000.0)
                                .arg(said)
                          : "The engine prepares the run." + said);
  });
}

RunProcess::~RunProcess() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

QString RunProcess::commandOf(const QString& file, const MeasureChoice& measure) {
  return shellCommand(QStringList{"millrace", "run", file} + measureFlags(measure));
}

QStringList RunProcess::argumentsOf(const RunOrder& order) const {
  QStringList flags = {"run", m_file->argument(), "--events", "--base",
                       order.base.empty() ? "/" : fileText(order.base)};
  flags += measureFlags(order.measure);
  if (!order.keep) flags << "--no-store";
  if (order.keep && !order.store.isEmpty()) flags << "--store" << order.store;
  return flags + order.moreFlags;
}

Status RunProcess::prepare(const RunOrder& order) {
  Result<DocumentFile> file = DocumentFile::make(order.pipeline, order.title);
  if (!file) return file.error();
  m_file = file.take();
  m_pipe = std::make_unique<EventPipe>();
  if (!m_pipe->ok()) return Error{"The run could not start: this program has too many open files."};
  if (m_program.isEmpty()) m_program = engineProgram();
  if (m_program.isEmpty())
    return Error{
        "The engine `millrace` is missing: it is neither beside the workbench nor on the PATH. "
        "Install both from one package."};
  return {};
}

void RunProcess::start(const RunOrder& order) {
  MILLRACE_CHECK(!m_running, "one run at a time");
  m_running = true;
  m_stopping = m_isSilent = m_greeted = false;
  m_signalsSent = 0;
  m_words.clear();
  m_badLine.clear();
  m_refusal.reset();
  m_problem.reset();
  m_result.reset();
  m_rssBytes.reset();
  if (Status ready = prepare(order); !ready) {
    fail(toQt(ready.error().message));
    return;
  }
  launch(order);
}

void RunProcess::launch(const RunOrder& order) {
  m_killsBefore = m_killCounter();
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program);
  m_process->setArguments(argumentsOf(order));
  m_process->setWorkingDirectory(m_file->folder());
  m_process->setStandardOutputFile(QProcess::nullDevice());
  m_process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(m_pipe.get(), &EventPipe::arrived, this, &RunProcess::take);
  connect(m_pipe.get(), &EventPipe::ended, this, [this] {
    if (m_process->state() == QProcess::NotRunning) conclude();
  });
  connect(m_process.get(), &QProcess::readyReadStandardError, this, &RunProcess::readWords);
  connect(m_process.get(), &QProcess::started, this, [this] { m_pipe->closeWriteEnd(); });
  connect(m_process.get(), &QProcess::finished, this, [this] {
    readWords();
    m_stopTimer.stop();
    m_pipe->isOpen() ? m_pipe->finish() : conclude();
  });
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      fail(QString("The engine %1 did not start: %2.").arg(m_program, m_process->errorString()));
  });
  m_silence.start(m_patience.silenceMs);
  m_process->start();
}

void RunProcess::stop() {
  if (!m_running || m_stopping) return;
  m_stopping = true;
  request(R"("request":"stop")");
  m_stopTimer.start(m_patience.stopMs);
}

void RunProcess::set(const QString& node, const QString& param, const QString& value) {
  const QJsonObject content{{"request", "set"}, {"node", node}, {"param", param}, {"value", value}};
  const QByteArray json = QJsonDocument(content).toJson(QJsonDocument::Compact);
  request(json.mid(1, json.size() - 2));
}

void RunProcess::request(const QByteArray& content) {
  if (!m_process || m_process->state() != QProcess::Running) return;
  m_process->write("{\"id\":" + QByteArray::number(static_cast<qint64>(++m_requests)) + ',' +
                   content + "}\n");
}

void RunProcess::readWords() {
  m_words += m_process->readAllStandardError();
  if (m_words.size() > kWordsKept) m_words = m_words.right(kWordsKept);
}

void RunProcess::take(const EventPipe::Slice& slice) {
  if (m_refusal) return;
  m_silence.start(m_patience.silenceMs);
  if (std::exchange(m_isSilent, false)) emit silent({});
  if (m_badLine.isEmpty() && !slice.errors.empty()) m_badLine = slice.errors.front();
  if (slice.refused) {
    m_refusal = sentence(fromQt(slice.errors.front()));
    m_process->kill();
    return;
  }
  for (const StreamEvent& event : slice.events) {
    note(event);
    emit this->event(event);
  }
}

void RunProcess::note(const StreamEvent& event) {
  if (std::holds_alternative<HelloEvent>(event.content)) m_greeted = true;
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) m_result = *result;
  if (const auto* snapshot = std::get_if<SnapshotEvent>(&event.content))
    if (snapshot->rssBytes) m_rssBytes = snapshot->rssBytes;
  if (const auto* problem = std::get_if<ProblemEvent>(&event.content))
    if (!m_problem && !problem->sample && problem->problem.severity == Severity::Error)
      m_problem = *problem;
}

QString RunProcess::crashSentence() const {
  const int signal = m_process->exitCode();
  const auto kills = m_killCounter();
  if (signal == SIGKILL && kills && m_killsBefore && *kills > *m_killsBefore) {
    const QString held =
        m_rssBytes ? QString(" It held %1.").arg(toQt(humanBytes(static_cast<double>(*m_rssBytes))))
                   : QString();
    return "The run ended: the engine was killed, memory full." + held +
           " Lower the cache's limit, the workers or the prefetch.";
  }
  const bool byOther = signal == SIGKILL || signal == SIGTERM || signal == SIGINT;
  return QString("The run ended: the engine was ended by %1.%2")
      .arg(signalWords(signal),
           byOther ? QString()
                   : " What it measured before is kept. Run again with another setting, "
                     "or report it with its last words.");
}

QString RunProcess::exitSentence() const {
  if (m_problem && m_process->exitCode() == kExitBadUsage) {
    QString text = sentence(m_problem->problem.message);
    if (!m_problem->problem.remedy.empty()) text += ' ' + sentence(m_problem->problem.remedy);
    return text;
  }
  if (m_result && !m_result->result.reason.empty())
    return "The run ended: " + sentence(m_result->result.reason);
  if (!m_greeted && !m_badLine.isEmpty())
    return "What ran is no engine of this program: " + m_badLine + ".";
  const QString words = lastLinesOf(m_words).section('\n', -1);
  if (!words.isEmpty()) return "The run ended: " + sentence(fromQt(words));
  return QString("The engine ended without a result (exit code %1).").arg(m_process->exitCode());
}

ChildEnd RunProcess::endOf() const {
  ChildEnd end;
  end.lastWords = lastLinesOf(m_words);
  end.kind = ChildEnd::Kind::Failed;
  const bool crashed = m_process->exitStatus() == QProcess::CrashExit;
  if (m_refusal) {
    end.sentence = *m_refusal;
  } else if (m_stopping) {
    end.kind = ChildEnd::Kind::Stopped;
    if (m_signalsSent > 1)
      end.sentence = QString("The engine did not stop within %1 s and was ended.")
                         .arg((m_patience.stopMs + m_patience.killMs) / 1000.0);
  } else if (crashed) {
    end.sentence = crashSentence();
  } else if (m_process->exitCode() == 0 && m_result) {
    end.kind = ChildEnd::Kind::Finished;
  } else if (m_result && m_result->result.outcome == RunOutcome::Interrupted) {
    end.kind = ChildEnd::Kind::Stopped;
  } else {
    end.sentence = exitSentence();
  }
  return end;
}

void RunProcess::conclude() {
  if (m_running) finish(endOf());
}

void RunProcess::fail(const QString& sentence) {
  QTimer::singleShot(0, this, [this, sentence] { finish({ChildEnd::Kind::Failed, sentence, {}}); });
}

void RunProcess::finish(ChildEnd end) {
  m_silence.stop();
  m_stopTimer.stop();
  // A signal of either may be on the stack.
  if (m_pipe) m_pipe->close();
  if (m_pipe) m_pipe.release()->deleteLater();
  if (m_process) m_process.release()->deleteLater();
  m_file.reset();
  m_running = m_stopping = false;
  emit ended(end);
}

}  // namespace millrace
