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

/// Which runs, and what of them. Deleted ones are never among them.
struct RunQuery {
  std::optional<std::string> experiment;
  std::int64_t limit = 50;
  std::int64_t offset = 0;
  SqlPiece where{};                   ///< ParsedQuery::condition; empty for every run
  std::vector<SortKey> sort{};        ///< before the newest first; runs without the value come last
  std::vector<QueryField> columns{};  ///< what RunSummary::cells holds
};

struct RunList {
  std::vector<RunSummary> runs;
  std::int64_t matching = 0;    ///< how many match, whatever the limit
  std::int64_t unreadable = 0;  ///< runs that the damaged file does not give
  std::string damage;           ///< the sentence about it, else empty
};

}  // namespace millrace
