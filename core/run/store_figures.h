// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/run/run_result.h"
#include "core/store/run_record.h"

namespace millrace {

// What a run measured, as the store keeps it.
std::vector<FigureRecord> figureRecords(const SpanFigures& figures);
/// What disturbed a repeat, as core/metrics/disturbance says.
std::vector<std::string> disturbancesIn(const SpanFigures& figures);
std::vector<NodeRecord> nodeRecords(const SpanFigures& figures);
std::vector<QueueRecord> queueRecords(const SpanFigures& figures);
/// A figure or a series of the GPU there: "accelerator.utilisation".
std::string gpuMetric(const GpuField& field);
/// What of the GPU is no number, as facts of the run: `accelerator` (its name),
/// `accelerator_throttled_by`, `accelerator_ended`. Nothing without one.
std::vector<KeyValue> gpuFacts(const RunResult& result);
/// Puts them back where they came from, out of the result's environment.
void takeGpuFacts(RunResult& result);

}  // namespace millrace
