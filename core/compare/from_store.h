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

// Loads from a run store what comparisons and searches need; the only file of this room that
// accesses a store. Call on the thread that owns the store.

/// A stored run with everything but its session rates.
Result<KeptRun> loadRun(RunStore& store, RunNumber number);

/// Up to 30 of the newest runs of the same pipeline document, which may include `run` itself. The
/// spread between sessions is estimated from them. Unreadable runs are skipped.
std::vector<KeptRun> runsOfSamePipeline(RunStore& store, const RunSummary& run);

/// These runs in this order, with session rates: the input of compareRuns.
Result<std::vector<KeptRun>> loadRuns(RunStore& store, std::span<const RunNumber> numbers,
                                      const Catalog& catalog);

/// The verdict that compareRuns would give for this pair. Pure.
Verdict judgeRuns(const KeptRun& reference, const KeptRun& run, const Catalog& catalog);

/// The settings that a query may name: those of all node kinds and of the runs in the store.
Result<QueryVocabulary> vocabularyOf(RunStore& store, const Catalog& catalog);

}  // namespace millrace
