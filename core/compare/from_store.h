// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"
#include "core/store/run_store.h"

namespace millrace {

// What comparing and searching need out of a store: the one place of this room that reads one. On
// the thread that the store belongs to.

/// The run as a comparison takes it, but for its sittings.
Result<KeptRun> loadRun(RunStore& store, RunNumber number);

/// The newest 30 runs of the same document, itself perhaps among them: where the spread between
/// sittings is known from. Those that cannot be read tell nothing.
std::vector<KeptRun> runsOfSamePipeline(RunStore& store, const RunSummary& run);

/// These runs, in this order, with all that compareRuns wants.
Result<std::vector<KeptRun>> loadRuns(RunStore& store, std::span<const RunNumber> numbers,
                                      const Catalog& catalog);

/// The verdict that compareRuns gives for this pair, without the rest. Pure.
Verdict judgeRuns(const KeptRun& reference, const KeptRun& run, const Catalog& catalog);

/// The settings that a query may name: of every node kind, and of the runs in the store.
Result<QueryVocabulary> vocabularyOf(RunStore& store, const Catalog& catalog);

}  // namespace millrace
