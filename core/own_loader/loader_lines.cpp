// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

std::string text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::uint64_t count(const Json& json, const char* key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(json, key)));
}

bool flag(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::optional<LoaderLine> batchesIn(const Json& line) {
  constexpr std::size_t kNumbers = 5;
  if (line.size() != kNumbers + 2 || line[0] != "b" || !line[kNumbers + 1].is_array())
    return std::nullopt;
  for (std::size_t i = 1; i <= kNumbers; ++i)
    if (!line[i].is_number_unsigned()) return std::nullopt;
  LoaderBatches batches;
  batches.at = SteadyTime(std::chrono::nanoseconds(line[1].get<std::int64_t>()));
  batches.batches = line[2].get<std::uint64_t>();
  batches.samples = line[3].get<std::uint64_t>();
  batches.waitNs = line[4].get<std::uint64_t>();
  batches.stepNs = line[5].get<std::uint64_t>();
  for (const Json& wait : line[kNumbers + 1])
    if (wait.is_number_unsigned()) batches.waits.push_back(wait.get<std::uint64_t>());
  return batches;
}

LoaderReady readyIn(const Json& json) {
  LoaderReady ready{text(json, "what"), count(json, "workers"), flag(json, "restarts"), {}, {}};
  if (const auto versions = json.find("versions"); versions != json.end() && versions->is_object())
    for (const auto& [name, version] : versions->items())
      if (version.is_string()) ready.versions.emplace_back(name, version.get<std::string>());
  if (const auto about = json.find("about"); about != json.end() && about->is_array())
    for (const Json& each : *about)
      if (each.is_array() && each.size() == 2 && each[0].is_string() && each[1].is_string())
        ready.about.emplace_back(each[0].get<std::string>(), each[1].get<std::string>());
  return ready;
}

LoaderFirst firstIn(const Json& json) {
  LoaderFirst first{text(json, "item"), count(json, "samples"), text(json, "rule"), {}};
  if (const auto steps = json.find("steps"); steps != json.end() && steps->is_array())
    for (const Json& step : *steps)
      if (step.is_string()) first.steps.push_back(step.get<std::string>());
  return first;
}

LoaderTimes timesIn(const Json& json) {
  LoaderTimes times{count(json, "timed"),       {},
                    count(json, "starts"),      count(json, "start_ns"),
                    count(json, "queue_looks"), count(json, "queue_empty")};
  if (const auto steps = json.find("steps"); steps != json.end() && steps->is_array())
    for (const Json& step : *steps)
      if (step.is_array() && step.size() == 2 && step[0].is_string() &&
          step[1].is_number_unsigned())
        times.steps.emplace_back(step[0].get<std::string>(), step[1].get<std::uint64_t>());
  return times;
}

}  // namespace

std::optional<LoaderLine> parseLoaderLine(std::string_view line) {
  const Json json = parsedJson(line);
  if (json.is_array()) return batchesIn(json);
  if (!json.is_object()) return std::nullopt;
  const std::string event = text(json, "event");
  if (event == "started")
    return LoaderStarted{static_cast<int>(number(json, "guard")),
                         static_cast<int>(number(json, "loader"))};
  if (event == "ready") return readyIn(json);
  if (event == "first") return firstIn(json);
  if (event == "times") return timesIn(json);
  if (event == "epoch") return LoaderEpoch{count(json, "batches"), count(json, "samples")};
  if (event == "empty") return LoaderEmpty{flag(json, "later")};
  if (event == "exhausted") return LoaderExhausted{};
  if (event == "error") return parseTrouble(line);
  if (event == "left") return LoaderLeft{text(json, "phase"), text(json, "code")};
  if (event == "exited")
    return LoaderExited{static_cast<int>(number(json, "code")),
                        static_cast<int>(number(json, "signal"))};
  return std::nullopt;
}

std::string sentenceOf(const PythonTrouble& trouble, const std::string& file,
                       const std::string& interpreter) {
  const std::string raised = raisedText(trouble);
  if (trouble.unusable) return fmt::format("{}: {}", file, trouble.text);
  if (!trouble.missing.empty())
    return missingText(trouble, file, interpreter, "the setting `python`");
  if (trouble.phase == "import") return fmt::format("{} cannot be imported: {}", file, raised);
  if (trouble.phase == "make")
    return fmt::format("{}: the loader could not be made: {}", file, raised);
  return fmt::format("{}: the loader failed{}: {}", file,
                     trouble.worker ? " in a worker process" : "", raised);
}

}  // namespace millrace
