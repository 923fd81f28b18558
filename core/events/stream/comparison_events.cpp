// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/comparison_events.h"

#include "core/base/version.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace {

ComparisonEvents::ComparisonEvents(int descriptor) : m_writer(descriptor) {
  m_writer.write(helloEvent(steadySeconds(), engineVersion()));
}

void ComparisonEvents::problem(const Problem& problem) {
  m_writer.write(problemEvent(steadySeconds(), problem));
}

void ComparisonEvents::step(const BlockStep& step, const std::string& what) {
  m_writer.write(progressEvent(steadySeconds(), step.block, step.of, step.secondsLeft, what));
}

void ComparisonEvents::waiting(double mostSeconds) {
  m_writer.write(waitingEvent(steadySeconds(), {.secondsLeft = mostSeconds}));
}

void ComparisonEvents::block(const MeasuredBlock& block, bool replaced) {
  BlockEvent event{block.disturbed, replaced, disturbanceOf(block.sides), {}};
  for (const SpanFigures& side : block.sides)
    event.rates.push_back(side.samplesPerSecond.mean.value_or(0));
  m_writer.write(blockEvent(steadySeconds(), event));
}

void ComparisonEvents::result(const std::string& json) {
  m_writer.write(resultEvent(steadySeconds(), json));
}

void ComparisonEvents::answer(std::int64_t id, const std::string& error) {
  m_writer.write(answerEvent(steadySeconds(), id, error));
}

}  // namespace millrace
