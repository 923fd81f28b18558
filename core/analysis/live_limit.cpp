// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/live_limit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/limit_parts.h"

namespace millrace {

namespace {

/// Snapshots that follow each other faster are merged; nothing in them is lost.
constexpr double kLeastStep = 0.02;

int wholePercent(double share) {
  return static_cast<int>(std::lround(100 * std::clamp(share, 0.0, 1.0)));
}

template <class Items>
const typename Items::value_type* findId(const Items& items, const std::string& id) {
  const auto found = std::ranges::find(items, id, &Items::value_type::id);
  return found == items.end() ? nullptr : &*found;
}

void addTo(std::vector<double>& to, const std::vector<double>& values) {
  to.resize(values.size());
  std::ranges::transform(to, values, to.begin(), std::plus<>());
}

/// The growth from `before` to `now`; `before` is empty at the beginning of a repeat. Times that
/// are extrapolated from samples may shrink slightly, which counts as 0.
std::vector<double> growth(const std::vector<double>& now, const std::vector<double>& before) {
  std::vector<double> grown = now;
  for (std::size_t i = 0; i < grown.size() && i < before.size(); ++i)
    grown[i] = std::max(0.0, grown[i] - before[i]);
  return grown;
}

}  // namespace

std::string sentenceOf(const LiveEvidence& evidence, std::string_view name) {
  const int share = wholePercent(evidence.share);
  switch (evidence.kind) {
    case LiveEvidence::Kind::NodeBusy:
      return fmt::format("{} is busy {} % of the time, on {} thread{}.", name, share,
                         evidence.threads, evidence.threads == 1 ? "" : "s");
    case LiveEvidence::Kind::QueueEmpty:
      return fmt::format("The queue of finished batches is empty {} % of the time.", share);
    case LiveEvidence::Kind::QueueFull:
      return fmt::format("The queue of finished batches is full {} % of the time.", share);
    case LiveEvidence::Kind::ConsumerWaits:
      return fmt::format("{} waits {} % of the time.", name, share);
    case LiveEvidence::Kind::OneThread:
      return "One thread makes the batches and consumes them, so that neither goes on during the "
             "other. Add Workers and Prefetch.";
  }
  return {};
}

LiveLimit::LiveLimit(LiveLayout layout) : m_layout(std::move(layout)) {}

LiveLimit::Slice LiveLimit::sliceOf(const LiveTotals& totals) const {
  Slice slice;
  slice.seconds = totals.seconds;
  for (const std::string& id : m_layout.queues) {
    const auto* queue = findId(totals.queues, id);
    slice.empty.push_back(queue != nullptr ? queue->emptySeconds : 0);
    slice.full.push_back(queue != nullptr ? queue->fullSeconds : 0);
  }
  for (const LiveLayout::Stage& stage : m_layout.stages) {
    std::vector<double>& busy = slice.nodes.emplace_back();
    for (const std::string& id : stage.nodes) {
      const auto* node = findId(totals.nodes, id);
      busy.push_back(node != nullptr ? node->busySeconds : 0);
    }
  }
  return slice;
}

void LiveLimit::add(const LiveTotals& totals) {
  Slice now = sliceOf(totals);
  if (now.seconds < m_last.seconds) m_last = {};
  if (now.seconds - m_last.seconds < kLeastStep) return;
  Slice step = now;
  step.seconds = now.seconds - m_last.seconds;
  step.empty = growth(now.empty, m_last.empty);
  step.full = growth(now.full, m_last.full);
  for (std::size_t i = 0; i < m_last.nodes.size(); ++i)
    step.nodes[i] = growth(now.nodes[i], m_last.nodes[i]);
  m_last = std::move(now);
  m_seen += step.seconds;
  m_slices.push_back(std::move(step));
  double span = 0;
  for (const Slice& slice : m_slices) span += slice.seconds;
  while (span - m_slices.front().seconds >= kSpanSeconds) {
    span -= m_slices.front().seconds;
    m_slices.pop_front();
  }
  if (m_seen >= kLeastSeconds) show(judge(sum()));
}

LiveFinding LiveLimit::ofWholeRun(LiveLayout layout, const LiveTotals& totals,
                                  std::uint64_t batches) {
  if (batches < kLeastRunBatches || totals.seconds < kLeastRunSeconds) return {};
  const LiveLimit limit(std::move(layout));
  return limit.judge(limit.sliceOf(totals));
}

LiveLimit::Slice LiveLimit::sum() const {
  Slice all;
  all.nodes.resize(m_layout.stages.size());
  for (const Slice& slice : m_slices) {
    all.seconds += slice.seconds;
    addTo(all.empty, slice.empty);
    addTo(all.full, slice.full);
    for (std::size_t i = 0; i < slice.nodes.size(); ++i) addTo(all.nodes[i], slice.nodes[i]);
  }
  return all;
}

LiveFinding LiveLimit::judge(const Slice& span) const {
  LiveFinding open;
  open.kind = LiveFinding::Kind::CannotTell;
  if (m_layout.stages.size() != m_layout.queues.size() + 1) return open;
  if (m_layout.queues.empty()) return onOneThread(span);
  const std::size_t last = m_layout.queues.size() - 1;
  const double empty = span.empty[last] / span.seconds;
  const double full = span.full[last] / span.seconds;
  if (empty > kDecidingShare) return upstreamOf(last, span);
  if (full > kDecidingShare) return downstreamOf(last, span);
  open.evidence.push_back({LiveEvidence::Kind::QueueEmpty, m_layout.queues[last], empty, 1});
  open.evidence.push_back({LiveEvidence::Kind::QueueFull, m_layout.queues[last], full, 1});
  open.evidence.push_back(waitOfConsumer(span));
  return open;
}

LiveEvidence LiveLimit::waitOfConsumer(const Slice& span) const {
  const std::vector<double>& nodes = span.nodes.back();
  const double busy = std::accumulate(nodes.begin(), nodes.end(), 0.0) / span.seconds;
  return {LiveEvidence::Kind::ConsumerWaits, m_layout.stages.back().id, 1 - std::min(busy, 1.0), 1};
}

namespace {

/// Finding for a stage with the busy times `busy` of its nodes; names the busiest node.
LiveFinding at(const LiveLayout::Stage& stage, const std::vector<double>& busy, double seconds,
               LiveFinding::Kind kind) {
  LiveFinding found;
  found.kind = kind;
  found.stage = stage.id;
  if (busy.empty()) return found;
  const auto most = std::ranges::max_element(busy);
  found.node = stage.nodes[static_cast<std::size_t>(most - busy.begin())];
  const double share = *most / (seconds * static_cast<double>(stage.threads));
  found.evidence.push_back(
      {LiveEvidence::Kind::NodeBusy, found.node, std::min(share, 1.0), stage.threads});
  return found;
}

}  // namespace

/// The consumer is the last node. Its share decides as for findLimit.
LiveFinding LiveLimit::onOneThread(const Slice& span) const {
  constexpr double kUndecided = 0.5;
  LiveFinding found;
  found.kind = LiveFinding::Kind::CannotTell;
  LiveLayout::Stage stage = m_layout.stages.front();
  std::vector<double> busy = span.nodes.front();
  if (busy.empty()) return found;
  const double share = busy.back() / span.seconds;
  if (share < kUndecided) {
    stage.nodes.pop_back();
    busy.pop_back();
    found = at(stage, busy, span.seconds, LiveFinding::Kind::Region);
  } else {
    const bool limits = share >= kStepShare;
    found = at({stage.id, 1, {stage.nodes.back()}}, {busy.back()}, span.seconds,
               limits ? LiveFinding::Kind::Consumer : LiveFinding::Kind::CannotTell);
    if (limits) return found;
    found.node.clear();
  }
  found.evidence.push_back({LiveEvidence::Kind::OneThread, "", 0, 1});
  return found;
}

LiveFinding LiveLimit::upstreamOf(std::size_t queue, const Slice& span) const {
  // A stage whose own input is empty is not the limit.
  std::size_t stage = queue;
  while (stage > 0 && span.empty[stage - 1] / span.seconds > kDecidingShare) --stage;
  LiveFinding found =
      at(m_layout.stages[stage], span.nodes[stage], span.seconds, LiveFinding::Kind::Region);
  found.evidence.push_back({LiveEvidence::Kind::QueueEmpty, m_layout.queues[queue],
                            span.empty[queue] / span.seconds, 1});
  found.evidence.push_back(waitOfConsumer(span));
  return found;
}

LiveFinding LiveLimit::downstreamOf(std::size_t queue, const Slice& span) const {
  LiveFinding found = at(m_layout.stages[queue + 1], span.nodes[queue + 1], span.seconds,
                         LiveFinding::Kind::Consumer);
  found.evidence.push_back(
      {LiveEvidence::Kind::QueueFull, m_layout.queues[queue], span.full[queue] / span.seconds, 1});
  return found;
}

void LiveLimit::show(LiveFinding found) {
  if (found.agreesWith(m_shown) || m_shown.kind == LiveFinding::Kind::Waiting) {
    m_shown = std::move(found);
    m_next = {};
    return;
  }
  if (!found.agreesWith(m_next)) {
    m_next = std::move(found);
    m_nextSince = m_seen;
    return;
  }
  if (m_seen - m_nextSince < kHoldSeconds) return;
  m_shown = std::move(found);
  m_next = {};
}

}  // namespace millrace
