// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/compare/from_store.h"

namespace millrace {

/// A verdict, and whether it is final: neither the run nor the baseline was still running when
/// read.
struct JudgedRun {
  Verdict verdict;
  bool isFinal = true;
};
using JudgedRuns = std::map<std::int64_t, JudgedRun>;

/// Makes verdicts against one baseline, with a cache of what it has read. Lives on the thread of
/// its store. Not shared.
class VerdictMaker {
 public:
  explicit VerdictMaker(const Catalog& catalog) : m_catalog(catalog) {}
  /// `age`: a new value clears the cache, because the store has changed.
  Result<JudgedRuns> judge(RunStore& store, RunNumber baseline, const std::vector<RunNumber>& runs,
                           std::uint64_t age);

 private:
  Status addSessions(RunStore& store, KeptRun& run);

  const Catalog& m_catalog;
  std::optional<KeptRun> m_baseline;
  std::map<std::string, std::vector<KeptRun>> m_samePipeline;
  std::uint64_t m_age = 0;
};

}  // namespace millrace
