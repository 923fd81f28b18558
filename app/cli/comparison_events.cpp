// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/comparison_events.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/version.h"
#include "core/base/clock.h"
#include "core/events/event_json.h"

namespace millrace::cli {

double ComparisonEvents::now() { return toSeconds(steadyClock().now().time_since_epoch()); }

ComparisonEvents::ComparisonEvents() : m_writer(STDOUT_FILENO) {
  m_writer.write(helloEvent(now(), kVersion));
}

void ComparisonEvents::problem(const Problem& problem) {
  m_writer.write(problemEvent(now(), problem));
}

void ComparisonEvents::step(const BlockStep& step, const std::string& what) {
  m_writer.write(progressEvent(now(), step.block, step.of, step.secondsLeft, what));
}

void ComparisonEvents::block(const MeasuredBlock& block, bool replaced) {
  nlohmann::json json = {{"event", "block"},
                         {"time", now()},
                         {"disturbed", block.disturbed},
                         {"replaced", replaced},
                         {"rates", nlohmann::json::array()}};
  for (const SpanFigures& side : block.sides)
    json["rates"].push_back(side.samplesPerSecond.mean.value_or(0));
  m_writer.write(json.dump());
}

void ComparisonEvents::result(const std::string& json) {
  nlohmann::json event = nlohmann::json::parse(json);
  event["event"] = "result";
  event["time"] = now();
  m_writer.write(event.dump());
}

RequestReader::Handlers ComparisonEvents::handlers(std::function<void()> stop) {
  RequestReader::Handlers handlers;
  handlers.request = [this, stop](const RunRequest& request) {
    const bool stops = request.kind == RunRequest::Kind::Stop;
    if (stops) stop();
    m_writer.write(answerEvent(now(), request.id, stops ? "" : "this command takes `stop` alone"));
  };
  handlers.malformed = [this](const std::string& error) {
    m_writer.write(answerEvent(now(), 0, error));
  };
  handlers.ended = std::move(stop);
  return handlers;
}

}  // namespace millrace::cli
