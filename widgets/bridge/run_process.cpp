// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_process.h"

#include <csignal>
#include <utility>

#include "core/base/text/text.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kExitBadUsage = 2;

QStringList measureFlags(const MeasureChoice& measure) {
  QStringList flags{"--warmup", QString::number(measure.warmupSeconds)};
  if (measure.epochs > 0)
    flags << "--epochs" << QString::number(measure.epochs);
  else
    flags << "--seconds" << QString::number(measure.seconds);
  flags << "--repeats" << QString::number(measure.repeats);
  if (measure.cold) flags << "--cold";
  if (measure.ranks > 1) flags << "--ranks" << QString::number(measure.ranks);
  if (!measure.maxFailures.isEmpty()) flags << "--max-failures" << measure.maxFailures;
  if (!measure.name.isEmpty()) flags << "--name" << measure.name;
  for (const QString& tag : measure.tags) flags << "--tag" << tag;
  return flags;
}

}  // namespace

RunProcess::RunProcess(QObject* parent) : QObject(parent), m_killCounter(outOfMemoryKills) {
  setPatience({});
  connect(&m_child, &EngineChild::outputReceived, this, [this] {
    m_silence.start(m_patience.silenceMs);
    if (std::exchange(m_isSilent, false)) emit silent({});
  });
  connect(&m_child, &EngineChild::eventReceived, this, [this](const ChildEvent& event) {
    note(event.read);
    emit eventReceived(event.read);
  });
  connect(&m_child, &EngineChild::ended, this, &RunProcess::conclude);
  m_silence.setSingleShot(true);
  connect(&m_silence, &QTimer::timeout, this, [this] {
    m_isSilent = true;
    const QString words = m_child.lastOutput();
    const QString said =
        words.isEmpty() ? QString() : " Its last message: " + words.section('\n', -1).remove('`');
    emit silent(m_child.hasGreeted()
                    ? QString("The engine has sent nothing for %1 s. Stop ends it.%2")
                          .arg(m_patience.silenceMs / 1000.0)
                          .arg(said)
                    : "The engine is preparing the run." + said);
  });
}

void RunProcess::setPatience(const Patience& patience) {
  m_patience = patience;
  m_child.setPatience({patience.stopMs, patience.killMs});
}

QString RunProcess::commandOf(const QString& file, const MeasureChoice& measure) {
  return shellCommand(QStringList{"millrace", "run", file} + measureFlags(measure));
}

QStringList RunProcess::argumentsOf(const RunOrder& order, const QString& file) const {
  QStringList flags = {"run", file, "--events", "--base",
                       order.base.empty() ? "/" : fileText(order.base)};
  flags += measureFlags(order.measure);
  if (!order.keep) flags << "--no-store";
  if (order.keep && !order.store.isEmpty()) flags << "--store" << order.store;
  return flags + order.moreFlags;
}

void RunProcess::start(const RunOrder& order) {
  m_isSilent = false;
  m_keeps = order.keep;
  m_result.reset();
  m_rssBytes.reset();
  Result<DocumentFile> file = DocumentFile::make(order.pipeline, order.title);
  if (!file) return m_child.fail(toQt(file.error().message));
  m_killsBefore = m_killCounter();
  m_silence.start(m_patience.silenceMs);
  const QStringList arguments = argumentsOf(order, file->argument());
  m_child.start(arguments, file.take());
}

void RunProcess::set(const QString& node, const QString& param, const QString& value) {
  m_child.request({.kind = RunRequest::Kind::Set,
                   .node = fromQt(node),
                   .param = fromQt(param),
                   .value = fromQt(value)});
}

void RunProcess::note(const StreamEvent& event) {
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) m_result = *result;
  if (const auto* snapshot = std::get_if<SnapshotEvent>(&event.content))
    if (snapshot->rssBytes) m_rssBytes = snapshot->rssBytes;
}

QString RunProcess::crashSentence(int signal) const {
  const auto kills = m_killCounter();
  if (signal == SIGKILL && kills && m_killsBefore && *kills > *m_killsBefore) {
    const QString held =
        m_rssBytes ? QString(" It used %1.").arg(toQt(humanBytes(static_cast<double>(*m_rssBytes))))
                   : QString();
    return "The run ended: the engine was killed because memory was full." + held +
           " Lower the cache limit, the number of workers or the prefetch.";
  }
  const bool byOther = signal == SIGKILL || signal == SIGTERM || signal == SIGINT;
  return QString("The run ended: the engine was ended by %1.%2")
      .arg(signalText(signal),
           byOther ? QString()
                   : " The results up to then are kept. Run again with another setting, "
                     "or report it with the last output.");
}

bool RunProcess::isExplained(const ChildExit& exit) const {
  return !exit.problem.isEmpty() || (m_result && !m_result->result.reason.empty());
}

QString RunProcess::exitSentence(const ChildExit& exit) const {
  if (exit.code == kExitBadUsage && !exit.problem.isEmpty()) return exit.problem;
  if (m_result && !m_result->result.reason.empty())
    return "The run ended: " + sentence(m_result->result.reason);
  if (!exit.greeted && !exit.badLine.isEmpty())
    return "The program that ran is not this program's engine: " + exit.badLine + ".";
  return exit.lastSentence("The run");
}

/// Why the run is not kept: the engine says it on its last lines, in the terms of its options.
QString RunProcess::notKeptSentence(const ChildExit& exit) const {
  if (!m_keeps || !m_result || !m_result->runId.empty()) return {};
  for (QString line : exit.lastOutput.split('\n')) {
    const qsizetype at = line.indexOf("this run is not kept");
    if (at < 0) continue;
    line = line.mid(at).replace("another file with --store", "another store on the page Runs");
    return sentence(fromQt(line));
  }
  return "This run is not kept. Check the store on the page Runs.";
}

/// Whether the run finished and the store alone is the reason for its exit code.
bool RunProcess::isOnlyNotKept(const ChildEnd& end) const {
  return !end.notKept.isEmpty() && m_result->result.outcome == RunOutcome::Finished;
}

void RunProcess::conclude(const ChildExit& exit) {
  m_silence.stop();
  ChildEnd end;
  // With its reason in an event, what the engine prints says the same in the terms of its options.
  if (!isExplained(exit)) end.lastOutput = exit.lastOutput;
  end.notKept = notKeptSentence(exit);
  end.kind = ChildEnd::Kind::Failed;
  if (!exit.refusal.isEmpty()) {
    end.sentence = exit.refusal;
  } else if (exit.wasAsked) {
    end.kind = ChildEnd::Kind::Stopped;
    if (exit.wasKilled)
      end.sentence = QString("The engine did not stop within %1 s and was killed.")
                         .arg((m_patience.stopMs + m_patience.killMs) / 1000.0);
  } else if (exit.crashed) {
    end.sentence = crashSentence(exit.code);
  } else if (m_result && (exit.code == 0 || isOnlyNotKept(end))) {
    end.kind = ChildEnd::Kind::Finished;
  } else if (m_result && m_result->result.outcome == RunOutcome::Interrupted) {
    end.kind = ChildEnd::Kind::Stopped;
  } else {
    end.sentence = exitSentence(exit);
  }
  emit ended(end);
}

}  // namespace millrace
