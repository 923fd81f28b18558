// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/measure_flags.h"

#include <utility>

#include <fmt/format.h>

namespace millrace {

std::vector<std::string> measureFlags(const MeasureSettings& measure,
                                      const std::string& maxFailures, bool noFuse) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, std::string value) {
    words.emplace_back(flag);
    words.push_back(std::move(value));
  };
  add("--repeats", fmt::format("{}", measure.repeats));
  add("--warmup", fmt::format("{}", measure.warmupSeconds));
  if (measure.epochs)
    add("--epochs", fmt::format("{}", *measure.epochs));
  else if (measure.batches)
    add("--batches", fmt::format("{}", *measure.batches));
  else if (measure.seconds)
    add("--seconds", fmt::format("{}", *measure.seconds));
  if (measure.startEpoch > 0 || measure.startBatch > 0)
    add("--start", fmt::format("{}:{}", measure.startEpoch, measure.startBatch));
  add("--max-failures", maxFailures);
  if (measure.noRandom) words.emplace_back("--no-random");
  if (noFuse) words.emplace_back("--no-fuse");
  return words;
}

}  // namespace millrace
