// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// What a sweep was asked for, as given by the flags, so that it can be continued without them. The
/// store keeps it as the first step of the search. Value.
struct SweepRequest {
  std::string experiment;  ///< only of a kept one
  std::string pipeline;    ///< file or example as entered
  std::string document;    ///< the unmodified pipeline, with absolute paths
  std::vector<std::string> vary;
  std::string plan;  ///< empty: the default
  std::optional<std::uint64_t> random;
  std::optional<std::uint64_t> latin;
  std::optional<std::uint64_t> repeats;
  std::optional<double> seconds;         ///< length of a measurement; 5
  std::optional<std::uint64_t> batches;  ///< measured instead of a time
  std::optional<double> warmup;          ///< seconds before each measurement; 2
  std::optional<double> trialTimeout;    ///< seconds; 60 plus ten times the length
  std::string trialMemory;               ///< "2G"; empty: no limit
  std::string maxFailures;               ///< "3" or "1%"; empty: 1 %
  bool noRandom = false;
  bool noFuse = false;
};

/// One line of JSON.
std::string lineOf(const SweepRequest& request);

/// The request of the stopped sweep of this experiment; empty: of the newest one. The error is a
/// sentence: there is none, it is complete, or its request was not kept.
Result<SweepRequest> stoppedSweepRequest(const std::filesystem::path& file,
                                         const std::string& experiment);

}  // namespace millrace
