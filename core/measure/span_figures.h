// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/plan.h"
#include "core/measure/run_result.h"
#include "core/metrics/histogram.h"
#include "core/monitor/host_sampler.h"
#include "core/monitor/machine_watch.h"
#include "core/run/run_totals.h"

namespace millrace {

/// The counters at one end of a measured span.
struct SpanEdge {
  RunTotals totals;
  HostSample host;
};

/// The figures between two edges. `windows`: those of the span; `waits`: how long the consumer
/// waited for each batch.
SpanFigures figuresBetween(const Plan& plan, const SpanEdge& begin, const SpanEdge& end,
                           double seconds, std::vector<RateWindow> windows, const Histogram& waits);

/// The same without those of nodes, stages and queues, for batches that no plan made.
SpanFigures figuresBetween(const SpanEdge& begin, const SpanEdge& end, double seconds,
                           std::vector<RateWindow> windows, const Histogram& waits);

/// What the machine did during a repeat, in its figures.
void addMachineChange(const MachineChange& change, SpanFigures& figures);

/// The mean, and percentiles over the windows' rates if there are at least five.
RateFigures rateOver(std::optional<double> mean, const std::vector<double>& windowRates);

}  // namespace millrace
