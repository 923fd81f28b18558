// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/sample_job.h"

#include <cmath>
#include <variant>

#include "core/base/check.h"
#include "widgets/common/format.h"

namespace millrace {

namespace {

/// The child takes no requests: a stop is a signal at once.
constexpr EngineChild::Patience kPatience{0, 1000};

}  // namespace

SampleJob::SampleJob(QObject* parent) : QObject(parent) {
  m_child.setPatience(kPatience);
  connect(&m_child, &EngineChild::eventReceived, this, &SampleJob::take);
  connect(&m_child, &EngineChild::ended, this, &SampleJob::conclude);
}

void SampleJob::start(const QStringList& kinds) {
  MILLRACE_CHECK(!isAtWork() && !kinds.isEmpty(), "one job at a time, with at least one kind");
  m_kinds = kinds;
  startNext();
}

void SampleJob::startNext() {
  m_done = m_of = 0;
  m_secondsLeft.reset();
  m_child.start({"sample-data", "--cache", "--kind", m_kinds.front(), "--events"});
  emit progressed();
}

void SampleJob::take(const ChildEvent& event) {
  const auto* progress = std::get_if<ProgressEvent>(&event.read.content);
  if (progress == nullptr) return;
  m_done = static_cast<double>(progress->done);
  m_of = static_cast<double>(progress->of);
  m_secondsLeft = progress->secondsLeft;
  emit progressed();
}

QString SampleJob::doneText() const {
  if (m_of <= 0) return {};
  QString text = QString("%1 of %2").arg(shownNumber(m_done), shownNumber(m_of));
  if (m_secondsLeft) text += QString(", %1 s left").arg(std::ceil(*m_secondsLeft));
  return text;
}

QString SampleJob::words() const {
  const QString done = doneText();
  return "Generating the sample data, only this once" + (done.isEmpty() ? done : ": " + done) + '.';
}

void SampleJob::conclude(const ChildExit& exit) {
  const bool good = exit.refusal.isEmpty() && !exit.crashed && exit.code == 0;
  if (good && m_kinds.size() > 1 && !exit.wasAsked) {
    m_kinds.removeFirst();
    return startNext();
  }
  if (good) {
    emit ended(End::Made, {});
  } else if (exit.wasAsked) {
    emit ended(End::Stopped, {});
  } else if (!exit.refusal.isEmpty()) {
    emit ended(End::Failed, exit.refusal);
  } else {
    QString last = exit.lastOutput.section('\n', -1);
    if (last.startsWith("error: ")) last.remove(0, 7);
    emit ended(
        End::Failed,
        last.isEmpty()
            ? QString("The sample data could not be generated (exit code %1).").arg(exit.code)
            : "The sample data could not be generated: " + last);
  }
}

}  // namespace millrace
