// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// One of several processes that run a pipeline together, each on its shard of the data
/// (`millrace run --ranks`).
struct Rank {
  std::int64_t number = 0;           ///< starts at 0
  std::int64_t world = 1;            ///< the number of ranks
  std::filesystem::path rendezvous;  ///< a folder that all ranks share while they run
};

/// The rank of this process, or nullopt if it runs alone. The environment variables MILLRACE_RANK,
/// MILLRACE_WORLD and MILLRACE_RENDEZVOUS set it; all three or none must be set. The error names
/// the invalid variable.
Result<std::optional<Rank>> rankOfProcess();

/// The environment variables that make a process this rank, with its CUDA_VISIBLE_DEVICES if `gpu`
/// is not empty.
std::vector<std::pair<std::string, std::string>> rankVariables(const Rank& rank,
                                                               const std::string& gpu);

}  // namespace millrace
