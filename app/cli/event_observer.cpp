// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/event_observer.h"

#include <unistd.h>

#include "app/cli/version.h"
#include "core/base/clock.h"

namespace millrace::cli {

namespace {

double now() { return toSeconds(steadyClock().now().time_since_epoch()); }

}  // namespace

EventObserver::EventObserver(const Plan& plan, const RunIdentity& identity)
    : m_plan(plan), m_identity(identity), m_writer(STDOUT_FILENO) {
  m_writer.write(helloEvent(now(), kVersion));
  m_writer.write(planEvent(now(), plan));
}

void EventObserver::onPhase(const RunPhase& phase) { m_writer.write(phaseEvent(now(), phase)); }

void EventObserver::onSnapshot(const RunSnapshot& snapshot) {
  m_writer.writeSnapshot(
      snapshotEvent(now(), m_plan, snapshot, m_identity, m_writer.droppedSnapshots()));
}

void EventObserver::onWindow(std::size_t repeat, const RateWindow& window) {
  m_writer.write(windowEvent(now(), repeat, window));
}

void EventObserver::onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) {
  for (const FailedSample& failure : failures) m_writer.write(failureEvent(now(), failure, total));
}

void EventObserver::problem(const Problem& problem) {
  m_writer.write(problemEvent(now(), problem));
}

void EventObserver::answer(std::int64_t id, const std::string& error) {
  m_writer.write(answerEvent(now(), id, error));
}

void EventObserver::result(const RunResult& result) {
  m_writer.write(resultEvent(now(), result, m_identity));
}

}  // namespace millrace::cli
