// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/trace_reading.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace millrace {

namespace {

using Kind = TraceSpan::Kind;

/// Whether the span is a point of a batch's path.
bool isPoint(const Plan& plan, const TraceSpan& span) {
  return span.kind == Kind::Batch || span.kind == Kind::Copy || span.kind == Kind::Device ||
         (span.kind == Kind::Node && span.node == plan.consumer);
}

/// The stage of a thread: a thread's name is its stage's id, with a number if there are several.
/// nullopt for the streams of a device.
std::optional<std::size_t> stageOf(const Plan& plan, const std::string& thread) {
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const std::string& id = plan.stages[s].id;
    if (thread == id || thread.starts_with(id + ":")) return s;
  }
  return std::nullopt;
}

/// A batch that entered a queue, or all batches up to it that left.
struct Move {
  std::uint64_t ns = 0;
  std::uint64_t batch = 0;
  bool in = false;
};

std::uint64_t wholeUntil(const RunTrace& trace) {
  std::uint64_t until = UINT64_MAX;
  for (const RunTrace::Thread& thread : trace.threads)
    if (thread.dropped > 0 && !thread.spans.empty())
      until = std::min(until, thread.spans.back().endNs);
  return until;
}

void addMoves(const RunTrace::Thread& thread, std::size_t stage, std::uint64_t until,
              std::vector<std::vector<Move>>& moves) {
  for (const TraceSpan& span : thread.spans) {
    if (span.endNs > until) continue;
    if (span.kind == Kind::Batch && stage < moves.size())
      moves[stage].push_back({span.endNs, span.item, true});
    if (span.kind == Kind::Batch && stage > 0 && stage <= moves.size())
      moves[stage - 1].push_back({span.beginNs, span.item, false});
    if (span.kind == Kind::WaitForBatch && stage > 0 && stage <= moves.size())
      moves[stage - 1].push_back({span.endNs, span.item, false});
  }
}

std::vector<QueueFill::Change> fillsOf(std::vector<Move> moves) {
  std::ranges::sort(
      moves, [](const Move& a, const Move& b) { return a.ns != b.ns ? a.ns < b.ns : a.in > b.in; });
  std::vector<QueueFill::Change> changes;
  std::set<std::uint64_t> waiting;
  for (const Move& move : moves) {
    // Batches leave in order; one without samples leaves silently before a later one.
    if (move.in)
      waiting.insert(move.batch);
    else
      waiting.erase(waiting.begin(), waiting.upper_bound(move.batch));
    if (!changes.empty() && changes.back().ns == move.ns)
      changes.back().fill = waiting.size();
    else
      changes.push_back({move.ns, waiting.size()});
  }
  return changes;
}

/// A sample of the first stage: its start and the time that its nodes took.
struct SampleWork {
  std::uint64_t beginNs = 0;
  std::uint64_t ns = 0;
};

/// Collects the samples of one thread: the spans of a sample follow each other; that of its row is
/// last.
void addSampleWork(const RunTrace::Thread& thread, const std::vector<bool>& isSampleNode,
                   std::size_t source, std::uint64_t until, std::vector<SampleWork>& all) {
  std::optional<std::uint64_t> item;
  SampleWork work;
  for (const TraceSpan& span : thread.spans) {
    if (span.endNs > until) return;
    const bool row = span.kind == Kind::Row;
    if (!row && (span.kind != Kind::Node || !isSampleNode[span.node])) continue;
    if (item != span.item || (!row && span.node == source)) work = {span.beginNs, 0};
    item = span.item;
    work.ns += span.endNs - span.beginNs;
    if (!row) continue;
    all.push_back(work);
    item.reset();
  }
}

/// By index in the pipeline: the source, and the nodes that work on single samples in the first
/// stage.
std::vector<bool> sampleNodes(const Plan& plan) {
  std::vector<bool> of(plan.pipeline.nodes.size(), false);
  of[plan.source] = true;
  for (const StageSegment& segment : plan.stages.front().segments)
    for (const PlanGroup& group : segment.sampleGroups) of[group.nodes.front()] = true;
  return of;
}

using Intervals = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Work of a device other than copies: operations after the transfer, and steps.
bool isWork(Kind kind) { return kind == Kind::Device || kind == Kind::Step; }
bool isCopy(Kind kind) { return kind == Kind::Copy; }

/// Intervals of those kinds within the measured span, merged where they overlap.
Intervals intervalsOf(const RunTrace& trace, bool (*isWanted)(Kind)) {
  Intervals all;
  const std::uint64_t from = std::max(trace.beginNs, trace.measuredNs);
  for (const RunTrace::Thread& thread : trace.threads)
    for (const TraceSpan& span : thread.spans)
      if (isWanted(span.kind) && span.endNs > from)
        all.emplace_back(std::max(span.beginNs, from), span.endNs);
  std::ranges::sort(all);
  Intervals joined;
  for (const auto& [begin, end] : all) {
    if (!joined.empty() && begin <= joined.back().second)
      joined.back().second = std::max(joined.back().second, end);
    else
      joined.emplace_back(begin, end);
  }
  return joined;
}

double secondsOf(const Intervals& intervals) {
  std::uint64_t ns = 0;
  for (const auto& [begin, end] : intervals) ns += end - begin;
  return static_cast<double>(ns) * 1e-9;
}

Intervals common(const Intervals& a, const Intervals& b) {
  Intervals both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t begin = std::max(a[i].first, b[j].first);
    const std::uint64_t end = std::min(a[i].second, b[j].second);
    if (begin < end) both.emplace_back(begin, end);
    ++(a[i].second < b[j].second ? i : j);
  }
  return both;
}

}  // namespace

std::vector<BatchPath> batchPaths(const Plan& plan, const RunTrace& trace) {
  std::map<std::uint64_t, BatchPath> all;
  for (std::size_t t = 0; t < trace.threads.size(); ++t)
    for (const TraceSpan& span : trace.threads[t].spans)
      if (isPoint(plan, span)) all[span.item].points.push_back({span.beginNs, t});
  std::vector<BatchPath> paths;
  for (auto& [batch, path] : all) {
    if (path.points.size() < 2) continue;
    path.batch = batch;
    std::ranges::sort(path.points, {}, &BatchPath::Point::ns);
    paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<QueueFill> queueFills(const Plan& plan, const RunTrace& trace) {
  std::vector<std::vector<Move>> moves(plan.queues.size());
  const std::uint64_t until = wholeUntil(trace);
  for (const RunTrace::Thread& thread : trace.threads)
    if (const auto stage = stageOf(plan, thread.name)) addMoves(thread, *stage, until, moves);
  std::vector<QueueFill> fills;
  for (std::size_t q = 0; q < plan.queues.size(); ++q)
    fills.push_back({plan.queues[q].id, fillsOf(std::move(moves[q]))});
  return fills;
}

std::optional<TraceOverlap> overlapOf(const RunTrace& trace) {
  const Intervals copies = intervalsOf(trace, isCopy);
  const Intervals work = intervalsOf(trace, isWork);
  if (copies.empty() || work.empty()) return std::nullopt;
  return TraceOverlap{secondsOf(copies), secondsOf(work), secondsOf(common(copies, work))};
}

std::vector<double> sampleSeconds(const Plan& plan, const RunTrace& trace, std::size_t most) {
  const std::vector<bool> isSampleNode = sampleNodes(plan);
  const std::uint64_t until = wholeUntil(trace);
  std::vector<SampleWork> all;
  for (const RunTrace::Thread& thread : trace.threads)
    if (stageOf(plan, thread.name) == 0U)
      addSampleWork(thread, isSampleNode, plan.source, until, all);
  std::ranges::sort(all, {}, &SampleWork::beginNs);
  std::vector<double> seconds;
  for (std::size_t i = all.size() - std::min(most, all.size()); i < all.size(); ++i)
    seconds.push_back(1e-9 * static_cast<double>(all[i].ns));
  return seconds;
}

}  // namespace millrace
