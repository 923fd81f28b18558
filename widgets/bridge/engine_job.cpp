// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/engine_job.h"

#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

EngineJob::EngineJob(QObject* parent) : QObject(parent) {
  connect(&m_child, &EngineChild::eventReceived, this, &EngineJob::take);
  connect(&m_child, &EngineChild::ended, this, &EngineJob::conclude);
}

void EngineJob::start(const JobOrder& order) {
  m_name = order.name;
  m_outcome.reset();
  m_reason.clear();
  if (order.pipeline.empty())
    return m_child.start(QStringList{order.command} + order.flags + QStringList{"--events"}, {},
                         fileText(order.base));
  Result<DocumentFile> file = DocumentFile::make(order.pipeline, order.title);
  if (!file) return m_child.fail(toQt(file.error().message));
  const QStringList arguments{order.command, file->argument(), "--events", "--base",
                              order.base.empty() ? "/" : fileText(order.base)};
  m_child.start(arguments + order.flags, file.take());
}

void EngineJob::take(const ChildEvent& event) {
  if (const auto* problem = std::get_if<ProblemEvent>(&event.read.content))
    if (problem->problem.severity != Severity::Error) emit warned(problemText(problem->problem));
  if (const auto* result = std::get_if<ResultEvent>(&event.read.content)) {
    m_outcome = result->result.outcome;
    m_reason = toQt(result->result.reason);
  }
  emit heard(event.read);
  if (!event.json.isEmpty()) emit eventReceived(event.json);
}

QString EngineJob::failure(const ChildExit& exit) const {
  if (!exit.refusal.isEmpty()) return exit.refusal;
  if (!exit.problem.isEmpty()) return exit.problem;
  if (!m_reason.isEmpty()) return m_name + " ended: " + sentence(fromQt(m_reason));
  if (exit.crashed)
    return QString("%1 ended: the engine was ended by %2. The results up to then are kept.")
        .arg(m_name, signalText(exit.code));
  return exit.lastSentence(m_name);
}

void EngineJob::conclude(const ChildExit& exit) {
  ChildEnd end;
  if (exit.problem.isEmpty() && m_reason.isEmpty()) end.lastOutput = exit.lastOutput;
  if (!exit.refusal.isEmpty() || m_outcome != RunOutcome::Finished) {
    const bool stopped = exit.wasAsked || m_outcome == RunOutcome::Interrupted;
    end.kind = stopped ? ChildEnd::Kind::Stopped : ChildEnd::Kind::Failed;
    if (!stopped) end.sentence = failure(exit);
    if (stopped && exit.wasKilled)
      end.sentence = "The engine did not stop when asked and was killed.";
  }
  emit ended(end);
}

}  // namespace millrace
