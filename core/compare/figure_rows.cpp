// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The figures of several runs: one row per metric of the run, of each node and of each queue.
#include <algorithm>
#include <functional>

#include "core/analysis/statistics.h"
#include "core/compare/comparison_parts.h"
#include "core/metrics/metric_text.h"

namespace millrace {

namespace {

/// The figure of one repeat.
using OfRepeat = std::function<std::optional<double>(const RepeatRecord&)>;

/// Of the repeats that count.
std::vector<double> valuesOf(const RunDetails& details, const OfRepeat& ofRepeat) {
  const std::vector<bool> counted = countedOf(details);
  std::vector<double> values;
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (counted[i])
      if (const auto value = ofRepeat(details.repeats[i])) values.push_back(*value);
  return values;
}

FigureValue overRepeats(const RunDetails& details, const OfRepeat& ofRepeat) {
  const std::vector<double> values = valuesOf(details, ofRepeat);
  return {mean(values), meanInterval95(values)};
}

/// A rate is averaged like the rates of a verdict, so that the ratio of two shown rates is the
/// verdict's.
FigureValue rateFigure(const RunDetails& details, const MetricSpec& spec) {
  const std::vector<double> values = valuesOf(
      details, [&](const RepeatRecord& repeat) { return figureOf(repeat.figures, spec.id); });
  if (values.empty() && spec.id == "samples_per_second")
    return {details.summary.samplesPerSecond, std::nullopt};
  if (values.empty()) return {figureOf(details.figures, spec.id), std::nullopt};
  return {geometricMean(values), geometricInterval95(values)};
}

FigureValue runFigure(const RunDetails& details, const MetricSpec& spec) {
  if (spec.id == "samples_per_second" || spec.id == "batches_per_second")
    return rateFigure(details, spec);
  FigureValue figure = overRepeats(
      details, [&](const RepeatRecord& repeat) { return figureOf(repeat.figures, spec.id); });
  if (const auto kept = figureOf(details.figures, spec.id)) figure.value = kept;
  if (spec.id == "failed_samples")
    figure = {static_cast<double>(details.summary.failedSamples), std::nullopt};
  // The interval belongs to the mean over repeats; a sum or maximum may lie outside and has none.
  const auto& interval = figure.interval95;
  if (interval && figure.value && (*figure.value < interval->low || *figure.value > interval->high))
    figure.interval95.reset();
  return figure;
}

const NodeRecord* nodeOf(const RepeatRecord& repeat, const NodeId& id) {
  const auto found = std::ranges::find(repeat.nodes, id, &NodeRecord::id);
  return found == repeat.nodes.end() ? nullptr : &*found;
}

const QueueRecord* queueOf(const RepeatRecord& repeat, const std::string& id) {
  const auto found = std::ranges::find(repeat.queues, id, &QueueRecord::id);
  return found == repeat.queues.end() ? nullptr : &*found;
}

struct NodeMetric {
  const char* id;
  std::optional<double> (*value)(const NodeRecord&);
};

std::optional<double> perItem(const std::optional<double>& seconds, const NodeRecord& node) {
  if (!seconds || !node.items || *node.items <= 0) return std::nullopt;
  return 1e3 * *seconds / static_cast<double>(*node.items);
}

constexpr NodeMetric kNodeMetrics[] = {
    {"node.mean_ms",
     [](const NodeRecord& n) { return n.meanMs ? n.meanMs : perItem(n.busySeconds, n); }},
    {"node.busy_seconds", [](const NodeRecord& n) { return n.busySeconds; }},
    {"node.cpu_seconds", [](const NodeRecord& n) { return n.cpuSeconds; }},
};

struct QueueMetric {
  const char* id;
  std::optional<double> (*value)(const QueueRecord&);
};

constexpr QueueMetric kQueueMetrics[] = {
    {"queue.mean_fill", [](const QueueRecord& q) { return q.meanFill; }},
    {"queue.empty_share", [](const QueueRecord& q) { return q.emptyShare; }},
    {"queue.full_share", [](const QueueRecord& q) { return q.fullShare; }},
};

class FigureRows {
 public:
  explicit FigureRows(std::span<const ReadRun> runs) : m_runs(runs) {}

  std::vector<FigureRow> rows() {
    for (const MetricSpec& spec : metricSpecs())
      if (spec.scope == MetricScope::Run)
        add(spec, "", [&](const ReadRun& run) { return runFigure(run.run->details, spec); });
    for (const NodeId& node : ids(&RepeatRecord::nodes))
      for (const NodeMetric& metric : kNodeMetrics) addNode(node, metric);
    for (const std::string& queue : ids(&RepeatRecord::queues))
      for (const QueueMetric& metric : kQueueMetrics) addQueue(queue, metric);
    return std::move(m_rows);
  }

 private:
  /// The reference's ids of nodes or queues, then further ids of the other runs.
  template <class Record>
  std::vector<std::string> ids(std::vector<Record> RepeatRecord::* records) const {
    std::vector<std::string> all;
    for (const ReadRun& run : m_runs)
      for (const RepeatRecord& repeat : run.run->details.repeats) {
        auto at = all.begin();
        for (const Record& record : repeat.*records) {
          const std::string id = referenceId(run, record.id);
          auto found = std::ranges::find(all, id);
          if (found == all.end()) found = all.insert(at, id);
          at = found + 1;
        }
      }
    return all;
  }

  static NodeId referenceId(const ReadRun& run, const NodeId& id) {
    if (run.diff)
      for (const NodeDiff& node : run.diff->nodes)
        if (node.after == id && !node.before.empty()) return node.before;
    return id;
  }

  static NodeId ownId(const ReadRun& run, const NodeId& reference) {
    if (run.diff)
      for (const NodeDiff& node : run.diff->nodes)
        if (node.before == reference && !node.after.empty()) return node.after;
    return reference;
  }

  void addNode(const NodeId& node, const NodeMetric& metric) {
    add(*findMetric(metric.id), node, [&](const ReadRun& run) {
      const NodeId id = ownId(run, node);
      return overRepeats(run.run->details, [&](const RepeatRecord& repeat) {
        const NodeRecord* found = nodeOf(repeat, id);
        return found == nullptr ? std::nullopt : metric.value(*found);
      });
    });
  }

  void addQueue(const std::string& queue, const QueueMetric& metric) {
    add(*findMetric(metric.id), queue, [&](const ReadRun& run) {
      const std::string id = ownId(run, queue);
      return overRepeats(run.run->details, [&](const RepeatRecord& repeat) {
        const QueueRecord* found = queueOf(repeat, id);
        return found == nullptr ? std::nullopt : metric.value(*found);
      });
    });
  }

  /// Skips figures that no run has.
  void add(const MetricSpec& spec, const std::string& of,
           const std::function<FigureValue(const ReadRun&)>& figure) {
    FigureRow row{&spec, of, {}};
    for (const ReadRun& run : m_runs) row.values.push_back(figure(run));
    if (std::ranges::any_of(row.values, [](const FigureValue& v) { return v.value.has_value(); }))
      m_rows.push_back(std::move(row));
  }

  std::span<const ReadRun> m_runs;
  std::vector<FigureRow> m_rows;
};

}  // namespace

std::vector<FigureRow> figureRows(std::span<const ReadRun> runs) { return FigureRows(runs).rows(); }

std::optional<double> FigureRow::shownChange(std::size_t run) const {
  const auto& before = values.front().value;
  const auto& after = values.at(run).value;
  if (!before || !after) return std::nullopt;
  const double from = metricShown(*spec, *before);
  if (from == 0) return std::nullopt;
  return metricShown(*spec, *after) / from - 1;
}

std::optional<double> FigureRow::change(std::size_t run) const {
  const auto& before = values.front().value;
  const auto& after = values.at(run).value;
  if (!before || !after || *before == 0) return std::nullopt;
  return *after / *before - 1;
}

}  // namespace millrace
