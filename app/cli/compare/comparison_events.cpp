// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare/comparison_events.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/events/steady_seconds.h"
#include "app/cli/common/version.h"
#include "core/events/event_json.h"
#include "core/events/json_text.h"
#include "core/events/run_request.h"

namespace millrace::cli {

ComparisonEvents::ComparisonEvents() : m_writer(STDOUT_FILENO) {
  m_writer.write(helloEvent(steadySeconds(), kVersion));
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

RequestReader::Handlers ComparisonEvents::handlers(std::function<void()> stop) {
  RequestReader::Handlers handlers;
  handlers.request = [this, stop](const RunRequest& request) {
    const bool stops = request.kind == RunRequest::Kind::Stop;
    if (stops) stop();
    m_writer.write(
        answerEvent(steadySeconds(), request.id, stops ? "" : "this command only accepts `stop`"));
  };
  handlers.malformed = [this](const std::string& error) {
    m_writer.write(answerEvent(steadySeconds(), 0, error));
  };
  handlers.ended = std::move(stop);
  return handlers;
}

}  // namespace millrace::cli
