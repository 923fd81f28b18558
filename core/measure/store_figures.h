// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/measure/run_result.h"
#include "core/store/run_record.h"

namespace millrace {

// Conversion of results to records of the store.
std::vector<FigureRecord> figureRecords(const SpanFigures& figures);
/// What disturbed a repeat (core/metrics/disturbance).
std::vector<std::string> disturbancesIn(const SpanFigures& figures);
/// The figures of a run whose repeats were measured alone: combineRepeats, but rates and means are
/// those of the repeats that count (countedRepeats). Counts, times, peak memory, queues and what
/// disturbed the run are those of all repeats.
SpanFigures figuresOfRun(const std::vector<SpanFigures>& repeats);
/// How many of the repeats do not count, and why: "2 of 5 repeats (other programs took 12 % of the
/// cores)"; empty if all count.
std::string leftOutText(const RunResult& result);
std::vector<NodeRecord> nodeRecords(const SpanFigures& figures);
std::vector<SlowestRecord> slowestRecords(const SpanFigures& figures);
std::vector<QueueRecord> queueRecords(const SpanFigures& figures);
/// Metric id of a GPU figure or series in the store: "accelerator.utilisation".
std::string gpuMetric(const GpuField& field);
/// GPU values that are not numbers, as facts of the run: `accelerator` (name),
/// `accelerator_throttled_by`, `accelerator_ended`. Empty without a GPU.
std::vector<KeyValue> gpuFacts(const RunResult& result);
/// Restores those values from the facts in the result's environment.
void takeGpuFacts(RunResult& result);

}  // namespace millrace
