// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/recorded_stream.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/compare/from_store.h"
#include "core/events/stream/event_json.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/loader/loader_record.h"
#include "core/jobs/run/recorded_run.h"
#include "core/measure/store_figures.h"
#include "core/monitor/traffic.h"
#include "core/nodes/builtin.h"
#include "core/store/run_origin.h"

namespace millrace {

namespace {

constexpr double kPauseSeconds = 1;  ///< between repeats: their real pause is not kept

/// The threads of a stage: the setting that its node exists for, or one.
std::uint64_t threadsOf(const RunDetails& details, const std::string& stage) {
  const auto kind = [&](const NodeRecord& node) { return node.id == stage; };
  for (const RepeatRecord& repeat : details.repeats) {
    const auto node = std::ranges::find_if(repeat.nodes, kind);
    if (node == repeat.nodes.end()) continue;
    const NodeSpec* spec = builtinCatalog().find(node->kind);
    if (spec == nullptr || spec->role != NodeRole::Workers || spec->params.empty()) return 1;
    for (const SettingRecord& setting : details.settings)
      if (setting.node == stage && setting.param == spec->params.front().name)
        if (const auto* count = std::get_if<std::int64_t>(&setting.value))
          return static_cast<std::uint64_t>(std::max<std::int64_t>(1, *count));
  }
  return 1;
}

/// A queue's node is the last one of the stage that fills it, unless it is the next region's head.
std::vector<std::vector<std::string>> nodesByStage(const RepeatRecord& repeat) {
  std::vector<std::vector<std::string>> stages(1);
  std::size_t queue = 0;
  for (const NodeRecord& node : repeat.nodes) {
    const bool ends = queue < repeat.queues.size() && repeat.queues[queue].id == node.id;
    const bool isHead = ends && repeat.queues[queue].to == node.id;
    if (isHead) stages.emplace_back();
    stages.back().push_back(node.id);
    if (ends && !isHead) stages.emplace_back();
    if (ends) ++queue;
  }
  return stages;
}

std::vector<std::vector<std::string>> fusedIn(const RepeatRecord& repeat,
                                              const std::vector<std::string>& nodes) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const NodeRecord& node : repeat.nodes)
    if (node.fusedInto && *node.fusedInto != node.id &&
        std::ranges::find(nodes, *node.fusedInto) != nodes.end())
      groups[*node.fusedInto].push_back(node.id);
  std::vector<std::vector<std::string>> fused;
  for (auto& [first, others] : groups) {
    others.insert(others.begin(), first);
    fused.push_back(std::move(others));
  }
  return fused;
}

/// The layout that the run had, from the figures of its last finished repeat.
PlanEvent planOf(const RunDetails& details) {
  if (isFileOrigin(factOf(details, kOriginFact).value_or(""))) return keptLoaderPlan(details);
  PlanEvent plan;
  const RepeatRecord* known = nullptr;
  for (const RepeatRecord& repeat : details.repeats)
    if (!repeat.nodes.empty()) known = &repeat;
  if (known == nullptr) return plan;
  for (const NodeRecord& node : known->nodes) plan.nodes.push_back({node.id, node.kind, {}});
  for (const QueueRecord& queue : known->queues)
    plan.queues.push_back({queue.id, queue.from, queue.to, queue.unit,
                           static_cast<std::uint64_t>(std::max<std::int64_t>(0, queue.capacity)), 0,
                           0});
  const auto stages = nodesByStage(*known);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].empty()) continue;
    PlanEvent::Stage stage;
    const bool isLast = i >= known->queues.size();
    stage.id = !isLast ? known->queues[i].from : i > 0 ? known->queues[i - 1].to : stages[i].back();
    stage.threads = threadsOf(details, stage.id);
    stage.onConsumer = isLast;
    stage.nodes = stages[i];
    stage.fused = fusedIn(*known, stages[i]);
    plan.stages.push_back(std::move(stage));
  }
  return plan;
}

/// The events of one repeat; their times count from its beginning.
class RepeatStream {
 public:
  RepeatStream(const RecordedRun& recorded, std::size_t position)
      : m_repeat(recorded.run.details.repeats[position]),
        m_series(position < recorded.series.size() ? recorded.series[position] : kNoSeries),
        m_phase{position, recorded.run.details.repeats.size(), true, 0} {
    double last = 0;
    for (const auto& [metric, points] : m_series)
      if (!points.empty()) last = std::max(last, points.back().seconds);
    double measured = figureOf(m_repeat.figures, "seconds").value_or(0);
    if (!m_repeat.windows.empty())
      measured = std::max(measured,
                          m_repeat.windows.back().startSeconds + m_repeat.windows.back().seconds);
    m_warmup = std::max(0.0, last - measured);
    m_seconds = std::max(last, measured);
  }

  double seconds() const { return m_seconds; }

  std::vector<StreamEvent> events() {
    addPhases();
    addSnapshots();
    for (const WindowRecord& window : m_repeat.windows)
      m_events.push_back({m_warmup + window.startSeconds + window.seconds,
                          WindowEvent{m_phase.repeat,
                                      {window.startSeconds, window.seconds,
                                       static_cast<std::uint64_t>(window.samples),
                                       static_cast<std::uint64_t>(window.batches)}}});
    std::ranges::stable_sort(m_events, {}, &StreamEvent::time);
    return std::move(m_events);
  }

 private:
  inline static const KeptSeries kNoSeries{};

  void addPhases() {
    RunPhase phase = m_phase;
    phase.secondsLeft = m_warmup;
    if (m_warmup > 0) m_events.push_back({0, phase});
    phase.warmup = false;
    phase.secondsLeft = m_seconds - m_warmup;
    m_events.push_back({m_warmup, phase});
  }

  /// A snapshot, and the rates since the one before, from which its totals are added up; so are
  /// those of its queues, whose `fillSeconds` are their mean fill until then.
  struct Moment {
    SnapshotEvent snapshot;
    double samplesPerSecond = 0;
    double cores = 0;
    PerFlow<double> bytesPerSecond;
  };
  using Moments = std::map<double, Moment>;

  template <class Take>
  void each(Moments& moments, const std::string& metric, const Take& take) const {
    const auto found = m_series.find(metric);
    if (found == m_series.end()) return;
    for (const SeriesPoint& point : found->second)
      if (point.seconds >= 0 && point.seconds <= m_seconds)
        take(moments[point.seconds], std::max(0.0, point.value));
  }

  void addSnapshots() {
    Moments moments;
    each(moments, "process.rss_bytes", [](Moment& to, double value) {
      to.snapshot.rssBytes = static_cast<std::uint64_t>(value);
    });
    for (const QueueRecord& queue : m_repeat.queues)
      each(moments, "queue.fill/" + queue.id, [&](Moment& to, double value) {
        const auto fill = static_cast<std::uint64_t>(std::llround(value));
        to.snapshot.queues.push_back({queue.id, fill, 0, 0, 0, 0, value});
      });
    each(moments, "samples_per_second",
         [](Moment& to, double value) { to.samplesPerSecond = value; });
    each(moments, "process.cpu_share", [](Moment& to, double value) { to.cores = value; });
    for (const FlowSpec& spec : flowSpecs())
      each(moments, std::string(spec.metric),
           [&](Moment& to, double value) { to.bytesPerSecond[spec.flow] = value; });
    addGpu(moments);
    addFlows(moments);
    finishSnapshots(moments);
  }

  /// A total is absent where its rate is, so that it grows only between two moments that both have
  /// it. The first rate counts from the first moment.
  static void addFlows(Moments& moments) {
    for (const FlowSpec& spec : flowSpecs()) {
      double bytes = 0;
      double before = 0;
      bool isFirst = true;
      for (auto at = moments.begin(); at != moments.end(); ++at) {
        const auto& rate = at->second.bytesPerSecond[spec.flow];
        const auto next = std::next(at);
        const bool begins =
            isFirst && next != moments.end() && next->second.bytesPerSecond[spec.flow].has_value();
        if (rate) bytes += *rate * (at->first - before);
        if (rate || begins)
          at->second.snapshot.flows[spec.flow] = static_cast<std::uint64_t>(std::llround(bytes));
        before = at->first;
        isFirst = false;
      }
    }
  }

  /// The GPU is sampled more often, at its own times.
  void addGpu(Moments& moments) const {
    for (auto& [seconds, moment] : moments) {
      GpuFigures gpu;
      bool any = false;
      for (const GpuField& field : gpuFields()) {
        const auto found = m_series.find(gpuMetric(field));
        if (found == m_series.end() || found->second.empty()) continue;
        const auto after =
            std::ranges::upper_bound(found->second, seconds, {}, &SeriesPoint::seconds);
        if (after == found->second.begin()) continue;
        gpu.values.*field.value = std::prev(after)->value;
        any = true;
      }
      if (any) moment.snapshot.accelerator = gpu;
    }
  }

  void finishSnapshots(Moments& moments) {
    double before = 0;
    double samples = 0;
    double cpu = 0;
    std::map<std::string, double> fills;
    for (auto& [seconds, moment] : moments) {
      for (SnapshotEvent::Queue& queue : moment.snapshot.queues) {
        fills[queue.id] += *queue.fillSeconds * (seconds - before);
        queue.fillSeconds = fills[queue.id];
        queue.seconds = seconds;
      }
      samples += moment.samplesPerSecond * (seconds - before);
      cpu += moment.cores * (seconds - before);
      before = seconds;
      SnapshotEvent& snapshot = moment.snapshot;
      snapshot.samples = static_cast<std::uint64_t>(samples);
      snapshot.cpuSeconds = cpu;
      snapshot.seconds = seconds;
      snapshot.phase = m_phase;
      snapshot.phase.warmup = seconds < m_warmup;
      snapshot.phase.secondsLeft = (snapshot.phase.warmup ? m_warmup : m_seconds) - seconds;
      m_events.push_back({seconds, std::move(snapshot)});
    }
  }

  const RepeatRecord& m_repeat;
  const KeptSeries& m_series;
  RunPhase m_phase;
  double m_warmup = 0;
  double m_seconds = 0;
  std::vector<StreamEvent> m_events;
};

}  // namespace

Result<RecordedRun> loadRecordedRun(RunStore& store, RunNumber number) {
  MILLRACE_ASSIGN_OR_RETURN(auto run, loadRun(store, number));
  RecordedRun recorded{std::move(run), {}};
  for (const RepeatRecord& repeat : recorded.run.details.repeats) {
    KeptSeries& series = recorded.series.emplace_back();
    for (const std::string& metric : repeat.seriesMetrics) {
      auto points = store.series(repeat.id, metric);
      if (points)
        series[metric] = points.take();
      else
        recorded.run.details.unreadable.push_back(
            fmt::format("{} over time in repeat {}", metric, repeat.index + 1));
    }
  }
  return recorded;
}

std::vector<StreamEvent> recordedStream(const RecordedRun& recorded) {
  const RunDetails& details = recorded.run.details;
  std::vector<StreamEvent> events = {{0, planOf(details)}};
  double begin = 0;
  for (std::size_t i = 0; i < details.repeats.size(); ++i) {
    RepeatStream repeat(recorded, i);
    for (StreamEvent& event : repeat.events()) {
      event.time += begin;
      events.push_back(std::move(event));
    }
    begin += repeat.seconds() + kPauseSeconds;
  }
  const RunResult result = recordedResult(details);
  for (const FailedSample& failure : result.failures)
    events.push_back({begin, ProblemEvent{{Severity::Warning, "", "", failure.reason, ""},
                                          failure.sample,
                                          result.figures.failedSamples}});
  const RunIdentity identity{std::to_string(static_cast<std::int64_t>(details.summary.number)),
                             details.summary.pipelineName};
  events.push_back({begin, ResultEvent{identity.runId, identity.pipeline, result,
                                       resultJson(result, identity, false)}});
  return events;
}

}  // namespace millrace
