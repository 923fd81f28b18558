// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/query.h"
#include "core/store/run_record.h"

namespace millrace {

/// Selects runs and what to return of them. Deleted runs are never included.
struct RunQuery {
  std::optional<std::string> experiment;
  std::int64_t limit = 50;
  std::int64_t offset = 0;
  SqlPiece where{};                   ///< ParsedQuery::condition; empty: all runs
  std::vector<SortKey> sort{};        ///< then newest first; runs without the value come last
  std::vector<QueryField> columns{};  ///< columns returned in RunSummary::cells
};

struct RunList {
  std::vector<RunSummary> runs;
  std::int64_t matching = 0;    ///< number of matching runs, regardless of the limit
  std::int64_t unreadable = 0;  ///< number of runs that cannot be read because of damage
  std::string damage;           ///< message about the damage; empty if there is none
};

/// A deleted run that can still be restored.
struct HiddenRun {
  RunNumber number{};
  std::string uid;
  WallTime hidden{};  ///< the same for runs that were deleted together
  std::string name;   ///< that of its pipeline if it has none
};

}  // namespace millrace
