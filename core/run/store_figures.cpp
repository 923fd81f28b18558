// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/store_figures.h"

namespace millrace {

namespace {

template <class T>
std::optional<std::int64_t> whole(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

template <class T>
std::optional<double> real(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

}  // namespace

std::vector<FigureRecord> figureRecords(const SpanFigures& f) {
  return {{"samples", static_cast<double>(f.samples)},
          {"batches", static_cast<double>(f.batches)},
          {"failed_samples", static_cast<double>(f.failedSamples)},
          {"seconds", f.seconds},
          {"samples_per_second", f.samplesPerSecond.mean},
          {"samples_per_second.median", f.samplesPerSecond.median},
          {"samples_per_second.p05", f.samplesPerSecond.p05},
          {"samples_per_second.p95", f.samplesPerSecond.p95},
          {"samples_per_second.ci95_low", f.samplesPerSecond.ci95Low},
          {"samples_per_second.ci95_high", f.samplesPerSecond.ci95High},
          {"batches_per_second", f.batchesPerSecond.mean},
          {"input_bytes_per_second", f.inputBytesPerSecond},
          {"cpu_seconds_per_1000_samples", f.cpuSecondsPer1000Samples},
          {"peak_rss_bytes", real(f.peakRssBytes)},
          {"step_share", f.stepShare},
          {"step_over_nominal", f.stepOverNominal},
          {"wait_p95_ms", f.waitP95Ms},
          {"other_busy_share", f.otherBusyShare},
          {"steal_share", f.stealShare},
          {"read_latency_ms", f.readLatencyMs},
          {"major_faults", real(f.majorFaults)}};
}

std::vector<NodeRecord> nodeRecords(const SpanFigures& figures) {
  std::vector<NodeRecord> records;
  for (const NodeFigures& node : figures.nodes)
    records.push_back({node.id, node.kind, whole(node.items), whole(node.bytesIn),
                       whole(node.bytesOut), node.busySeconds, node.cpuSeconds, node.meanMs,
                       node.fusedInto});
  return records;
}

std::vector<QueueRecord> queueRecords(const SpanFigures& figures) {
  std::vector<QueueRecord> records;
  for (const QueueFigures& queue : figures.queues)
    records.push_back({queue.id, queue.from, queue.to, "batches",
                       static_cast<std::int64_t>(queue.capacity), queue.meanFill, queue.emptyShare,
                       queue.fullShare});
  return records;
}

}  // namespace millrace
