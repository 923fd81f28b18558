// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/comparison_events.h"

#include <nlohmann/json.hpp>

#include "core/base/version.h"
#include "core/events/json/json_text.h"
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
  Json json = {{"event", "block"},
               {"time", steadySeconds()},
               {"disturbed", block.disturbed},
               {"replaced", replaced},
               {"disturbance", orNull(disturbanceOf(block.sides))},
               {"rates", Json::array()}};
  for (const SpanFigures& side : block.sides)
    json["rates"].push_back(side.samplesPerSecond.mean.value_or(0));
  m_writer.write(json.dump());
}

void ComparisonEvents::result(const std::string& json) {
  Json event = Json::parse(json);
  event["event"] = "result";
  event["time"] = steadySeconds();
  m_writer.write(event.dump());
}

void ComparisonEvents::answer(std::int64_t id, const std::string& error) {
  m_writer.write(answerEvent(steadySeconds(), id, error));
}

}  // namespace millrace
