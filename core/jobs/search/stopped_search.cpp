// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/search/stopped_search.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/jobs/run/recorded_run.h"

namespace millrace {

std::string factNamed(const Facts& facts, const std::string& key) {
  for (const auto& [name, value] : facts)
    if (name == key) return value;
  return {};
}

std::vector<SpanFigures> wholeRepeats(const RunDetails& details) {
  std::size_t whole = 0;
  for (const RepeatRecord& repeat : details.repeats)
    if (repeat.finished && repeat.index == static_cast<std::int64_t>(whole)) ++whole;
  std::vector<SpanFigures> repeats = recordedResult(details).repeats;
  repeats.resize(std::min(whole, repeats.size()));
  return repeats;
}

Status sameConditions(const Facts& before, const Facts& now, const std::string& what,
                      std::span<const char* const> keys) {
  for (const char* key : keys) {
    const std::string was = factNamed(before, key);
    const std::string is = factNamed(now, key);
    if (!was.empty() && !is.empty() && was != is)
      return Error{
          fmt::format("the stopped {} cannot be continued: {} was \"{}\" and is now \"{}\"; "
                      "begin a new one",
                      what, key, was, is)};
  }
  return {};
}

std::span<const char* const> searchConditions() {
  static constexpr std::array kKeys = {"measured_span", "warmup_seconds", "draws",         "fusing",
                                       "cpu_model",     "cores_usable",   "engine_version"};
  return kKeys;
}

bool isComplete(const SearchSummary& search) {
  return std::ranges::all_of(search.trials, [](const TrialRecord& trial) {
    return trial.state == TrialState::Finished || trial.state == TrialState::Failed;
  });
}

Status notWrittenNow(const RunDetails& details, const std::string& what) {
  if (details.summary.state != RunState::Running) return {};
  return Error{fmt::format("the {} \"{}\" is still running: run {} is being written", what,
                           details.summary.experiment,
                           static_cast<std::int64_t>(details.summary.number))};
}

Error changedPipeline(const std::string& what) {
  return Error{fmt::format(
      "the stopped {} cannot be continued: the pipeline was changed; begin a new one", what)};
}

}  // namespace millrace
