// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_observer.h"

#include <utility>

#include "core/base/version.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace {

EventObserver::EventObserver(int descriptor, PlanEvent plan, const RunIdentity& identity)
    : m_plan(std::move(plan)), m_identity(identity), m_writer(descriptor) {
  m_writer.write(helloEvent(steadySeconds(), engineVersion()));
  m_writer.write(planEvent(steadySeconds(), m_plan));
}

void EventObserver::onWaiting(const RunPhase& phase) {
  m_writer.write(waitingEvent(steadySeconds(), phase));
}

void EventObserver::onPhase(const RunPhase& phase) {
  m_writer.write(phaseEvent(steadySeconds(), phase));
}

void EventObserver::onSnapshot(const RunSnapshot& snapshot) {
  m_writer.writeSnapshot(
      snapshotEvent(steadySeconds(), m_plan, snapshot, m_identity, m_writer.droppedSnapshots()));
}

void EventObserver::onWindow(std::size_t repeat, const RateWindow& window) {
  m_writer.write(windowEvent(steadySeconds(), repeat, window));
}

void EventObserver::onRepeat(std::size_t repeat, const SpanFigures& figures) {
  m_writer.write(repeatEvent(steadySeconds(), repeat, figures));
}

void EventObserver::onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) {
  for (const FailedSample& failure : failures)
    m_writer.write(failureEvent(steadySeconds(), failure, total));
}

void EventObserver::ready(std::size_t repeat) {
  m_writer.write(readyEvent(steadySeconds(), repeat));
}

void EventObserver::problem(const Problem& problem) {
  m_writer.write(problemEvent(steadySeconds(), problem));
}

void EventObserver::answer(std::int64_t id, const std::string& error) {
  m_writer.write(answerEvent(steadySeconds(), id, error));
}

void EventObserver::record(const RecordEvent& event) {
  m_writer.write(recordEvent(steadySeconds(), event));
}

void EventObserver::page(const std::string& text) {
  m_writer.write(pageEvent(steadySeconds(), text));
}

void EventObserver::result(const RunResult& result) {
  m_writer.write(resultEvent(steadySeconds(), result, m_identity));
}

}  // namespace millrace
