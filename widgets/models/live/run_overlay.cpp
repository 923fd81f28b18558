// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/run_overlay.h"

#include <algorithm>
#include <cmath>

#include "core/metrics/metric_text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/live_run.h"

namespace millrace {

namespace {

/// The most batches that a node can be ahead of the consumer.
double batchesInFlight(const LiveRun& run) {
  double batches = 1;
  for (const PlanEvent::Queue& queue : run.plan()->queues)
    batches += static_cast<double>(std::max(queue.slotCount, queue.capacity));
  const std::size_t repeats = run.result() ? run.result()->result.repeats.size() : 1;
  return batches * static_cast<double>(std::max<std::size_t>(1, repeats));
}

/// A kept run does not tell what its nodes pass, so their number decides.
bool passesBatches(const LiveRun& run, const LiveSpan& span, const LiveSpan::Node& node) {
  const auto planned = std::ranges::find(run.plan()->nodes, node.id, &PlanEvent::Node::id);
  if (planned != run.plan()->nodes.end() && !planned->out.empty())
    return run.passesBatches(node.id);
  return std::abs(node.items - span.batches) < std::abs(node.items - span.samples);
}

/// The items that passed a node: the run's samples or batches, so that both show one rate. A node's
/// own count differs by what is in flight where the span begins and ends; where it differs by more,
/// as before a filter, it is the figure of that node.
double itemsPast(const LiveRun& run, const LiveSpan& span, const LiveSpan::Node& node) {
  const bool isBatches = passesBatches(run, span, node);
  const double whole = isBatches ? span.batches : span.samples;
  if (node.items <= 0 || span.batches <= 0) return whole;
  const double each = isBatches ? 1 : span.samples / span.batches;
  return std::abs(node.items - whole) <= each * batchesInFlight(run) ? whole : node.items;
}

NodeOverlay nodeOverlay(const LiveRun& run, const LiveSpan& span, std::size_t i) {
  const LiveSpan::Node& node = span.nodes[i];
  NodeOverlay overlay;
  overlay.within = run.fusedInto(node.id);
  if (!overlay.within.empty()) {
    overlay.instead = "in " + run.titleOf(overlay.within);
    overlay.details = "one operation with " + run.titleOf(overlay.within);
    return overlay;
  }
  overlay.rate = shownRate(itemsPast(run, span, node) / span.seconds) + kNoBreak + "/s";
  if (!node.busySeconds) {
    overlay.mean = QString("not") + kNoBreak + "timed";
    overlay.share = 0;
    overlay.shareText = "–";
    overlay.details = overlay.rate + ", not timed";
    return overlay;
  }
  if (node.items > 0) overlay.mean = shownMs(1000 * *node.busySeconds / node.items);
  const LiveLayout::Stage* stage = run.stageOf(node.id);
  const double threads = stage == nullptr ? 1 : static_cast<double>(stage->threads);
  overlay.share = std::clamp(*node.busySeconds / (span.countedSeconds * threads), 0.0, 1.0);
  overlay.shareText = shownShare(overlay.share);
  overlay.stage = stage == nullptr ? node.id : stage->id;
  overlay.details =
      QStringList{overlay.rate, overlay.mean + " each", "busy " + overlay.shareText}.join(", ");
  if (threads > 1) overlay.details += QString(" of %1%2threads").arg(threads).arg(kNoBreak);
  if (span.samples > 0) overlay.wallMs = 1000 * *node.busySeconds / (threads * span.samples);
  return overlay;
}

QueueOverlay queueOverlay(const LiveSpan::Queue& queue, std::uint64_t capacity,
                          const LiveRun& run) {
  constexpr double kWorthSaying = 0.5;
  const double mean = std::min(queue.meanFill, static_cast<double>(capacity));
  QueueOverlay overlay;
  overlay.share = capacity > 0 ? mean / static_cast<double>(capacity) : 0;
  const QString fill = QString::number(mean, 'f', 1);
  overlay.text = QString("%1 of %2").arg(fill).arg(capacity);
  overlay.shortText = QString("%1/%2").arg(fill).arg(capacity);
  const bool full = queue.fullShare() >= kWorthSaying;
  const bool empty = !full && queue.emptyShare() >= kWorthSaying;
  if (full) overlay.text += ", full " + shownShare(queue.fullShare());
  if (empty) overlay.text += ", empty " + shownShare(queue.emptyShare());
  overlay.text.replace(' ', kNoBreak);
  const LiveFinding::Kind found = run.finding().kind;
  overlay.limits = (full && found == LiveFinding::Kind::Consumer && !run.keepsUp()) ||
                   (empty && found == LiveFinding::Kind::Region);
  return overlay;
}

RegionOverlay regionOverlay(const LiveSpan& span, const LiveLayout::Stage& stage) {
  double busy = 0;
  for (const std::string& id : stage.nodes)
    if (const LiveSpan::Node* node = span.node(id)) busy += node->busySeconds.value_or(0);
  const auto threads = static_cast<double>(stage.threads);
  const double share = busy / (span.countedSeconds * threads);
  RegionOverlay overlay;
  overlay.left = QString("%1%2thread%3, busy %4")
                     .arg(stage.threads)
                     .arg(kNoBreak)
                     .arg(stage.threads == 1 ? "" : "s", shownShare(std::min(share, 1.0)));
  if (span.samples > 0) {
    overlay.right = shownMs(1000 * span.seconds / span.samples) + " per sample, wall clock";
    overlay.wallMs = 1000 * busy / (threads * span.samples);
  }
  return overlay;
}

}  // namespace

QString shownRate(double perSecond) { return toQt(roundedText(perSecond)).replace(' ', kNoBreak); }

QString shownMs(double milliseconds) {
  if (milliseconds > 0 && milliseconds < 0.1) {
    const double us = 1000 * milliseconds;
    const QString unit = kNoBreak + QString("µs");
    if (us < 0.01) return QString("<") + kNoBreak + "0.01" + unit;
    return QString::number(us, 'f', us >= 9.95 ? 0 : us >= 0.995 ? 1 : 2) + unit;
  }
  const QString unit = kNoBreak + QString("ms");
  if (milliseconds >= 100) return shownNumber(std::int64_t{std::llround(milliseconds)}) + unit;
  return QString::number(milliseconds, 'f', milliseconds >= 9.95 ? 1 : 2) + unit;
}

QString shownShare(double share) {
  return QString::number(std::lround(100 * share)) + kNoBreak + '%';
}

RunOverlay overlayOf(const LiveRun& run) {
  RunOverlay overlay;
  overlay.shown = run.state() != LiveRun::State::None;
  overlay.over = run.isOver();
  overlay.label = run.label().toUpper().replace(' ', kNoBreak);
  const LiveSpan span = run.shown();
  if (!run.plan() || span.seconds <= 0 || span.countedSeconds <= 0) return overlay;
  for (std::size_t i = 0; i < span.nodes.size(); ++i)
    overlay.nodes[span.nodes[i].id] = nodeOverlay(run, span, i);
  const LiveFinding found = run.finding();
  if (!found.node.empty()) {
    overlay.nodes[found.node].ring = true;
    overlay.nodes[found.node].keepsUp = run.keepsUp();
  }
  for (const PlanEvent::Queue& queue : run.plan()->queues)
    if (const LiveSpan::Queue* now = span.queue(queue.id))
      overlay.queues[queue.id] = queueOverlay(*now, queue.capacity, run);
  for (const LiveLayout::Stage& stage : run.layout().stages) {
    const RegionOverlay& region = overlay.regions[stage.id] = regionOverlay(span, stage);
    // A region is headed by a node that does no work itself.
    if (const auto head = overlay.nodes.find(stage.id); head != overlay.nodes.end())
      head->second.details =
          region.right.isEmpty() ? region.left : region.left + ", " + region.right;
  }
  return overlay;
}

double wallClockMs(const RunOverlay& run, const std::vector<std::string>& nodes) {
  std::map<std::string, double> stages;
  std::map<std::string, double> whole;
  for (const std::string& id : nodes) {
    const auto node = run.nodes.find(id);
    if (node != run.nodes.end() && !node->second.within.empty()) {
      if (std::ranges::find(nodes, node->second.within) == nodes.end()) return -1;
    } else if (node != run.nodes.end() && node->second.wallMs >= 0) {
      stages[node->second.stage] += node->second.wallMs;
    } else if (const auto region = run.regions.find(id); region != run.regions.end()) {
      whole[id] = region->second.wallMs;
    }
  }
  // A region's head shows all the work of its threads.
  for (const auto& [id, ms] : whole) stages[id] = ms;
  double longest = -1;
  for (const auto& [id, ms] : stages) longest = std::max(longest, ms);
  return longest;
}

}  // namespace millrace
