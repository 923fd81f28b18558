// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/run_text.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/events/json/json_text.h"

namespace millrace::cli {

std::string localTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string isoTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", utc);
}

std::string numberOf(const RunSummary& run) {
  return std::to_string(static_cast<std::int64_t>(run.number));
}

std::string trialText(const RunSummary& run) {
  // How a store names a tuning's first setting.
  if (run.trial == "as it is") return "unmodified";  // words: ok, kept in stores
  return run.trial.value_or("");
}

Json summaryJson(const RunSummary& run) {
  return {{"run_id", numberOf(run)},
          {"uid", run.uid},
          {"started", isoTime(run.started)},
          {"finished", run.finished ? Json(isoTime(*run.finished)) : Json()},
          {"state", nameOf(run.state)},
          {"reason", orNull(run.reason)},
          {"experiment", run.experiment},
          {"trial", orNull(trialText(run))},
          {"name", orNull(run.name)},
          {"pipeline", run.pipelineName},
          {"tags", run.tags},
          {"baseline", run.baseline},
          {"failed_samples", run.failedSamples},
          {"samples_per_second",
           {{"mean", orNull(run.samplesPerSecond)},
            {"ci95_low", orNull(run.ci95Low)},
            {"ci95_high", orNull(run.ci95High)}}}};
}

}  // namespace millrace::cli
