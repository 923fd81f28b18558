// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace millrace {

/// One of several processes that run a pipeline together, each on its own shard of the data
/// (`millrace run --ranks`).
struct Rank {
  std::int64_t number = 0;        ///< from 0
  std::int64_t world = 1;         ///< how many there are
  std::filesystem::path meeting;  ///< a folder that they alone share while they run
};

/// This process's: nothing where it runs alone. It is told by MILLRACE_RANK, MILLRACE_WORLD and
/// MILLRACE_MEETING, which are there together; the error says which of them makes no sense.
Result<std::optional<Rank>> rankOfProcess();

}  // namespace millrace
