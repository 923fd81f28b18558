// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compare/kept_run.h"
#include "core/events/stream/event_reader.h"
#include "core/store/run_store.h"

namespace millrace {

/// The time series of a repeat by the ids of their metrics, as in the store.
using KeptSeries = std::map<std::string, std::vector<SeriesPoint>>;

/// Everything that the store has of a run.
struct RecordedRun {
  KeptRun run;
  std::vector<KeptSeries> series;  ///< by position in `run.details.repeats`
};

/// Reads on the store's thread. A series that cannot be read is missing, and is named in the run's
/// `unreadable`.
Result<RecordedRun> loadRecordedRun(RunStore& store, RunNumber number);

/// The events that this run sent while it was measured, as far as the store has their content, so
/// that a kept run is shown by what shows a running one. Each repeat starts one second after the
/// one before. The store has the figures of nodes only for whole repeats: snapshots have none.
/// Pure.
std::vector<StreamEvent> recordedStream(const RecordedRun& recorded);

}  // namespace millrace
