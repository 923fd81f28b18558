// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/compare/from_store.h"

namespace millrace {

/// A verdict, and whether it stands: neither the run nor the baseline went on when they were read.
struct JudgedRun {
  Verdict verdict;
  bool isFinal = true;
};
using JudgedRuns = std::map<std::int64_t, JudgedRun>;

/// Verdicts against one baseline. What it has read stays: one of these lives on the thread
/// of the store that it is given. Not shared.
class VerdictMaker {
 public:
  explicit VerdictMaker(const Catalog& catalog) : m_catalog(catalog) {}
  /// `age`: what was read for another one is forgotten, because the store has changed.
  Result<JudgedRuns> judge(RunStore& store, RunNumber baseline, const std::vector<RunNumber>& runs,
                           std::uint64_t age);

 private:
  Status addSittings(RunStore& store, KeptRun& run);

  const Catalog& m_catalog;
  std::optional<KeptRun> m_baseline;
  std::map<std::string, std::vector<KeptRun>> m_samePipeline;
  std::uint64_t m_age = 0;
};

}  // namespace millrace
