// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/node_run.h"

#include <algorithm>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/live_run.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

const NodeFigures* figuresOf(const LiveRun& run, const std::string& node) {
  if (!run.result()) return nullptr;
  const auto& nodes = run.result()->result.figures.nodes;
  const auto found = std::ranges::find(nodes, node, &NodeFigures::id);
  return found == nodes.end() ? nullptr : &*found;
}

void addTimes(NodeRun& shown, const NodeOverlay& overlay, const NodeFigures* figures,
              const LiveLayout::Stage* stage) {
  if (overlay.share < 0 || overlay.stage.empty()) return;
  QString time = overlay.mean;
  if (figures != nullptr && figures->p95Ms)
    time += QString(" on average, 95%1% within %2").arg(kNoBreak).arg(shownMs(*figures->p95Ms));
  if (!overlay.mean.isEmpty()) shown.rows << std::pair(QString("Time each"), time);
  const QString threads =
      stage == nullptr || stage->threads == 1
          ? QString(" of its thread's time")
          : QString(" of the time of %1%2threads").arg(stage->threads).arg(kNoBreak);
  shown.rows << std::pair(QString("Busy"), overlay.shareText + threads);
}

void addQueues(NodeRun& shown, const LiveRun& run, const RunOverlay& overlay,
               const std::string& node) {
  const LiveLayout::Stage* stage = run.stageOf(node);
  for (const PlanEvent::Queue& queue : run.plan()->queues) {
    const auto fill = overlay.queues.find(queue.id);
    if (fill == overlay.queues.end()) continue;
    if (queue.id == node)
      shown.rows << std::pair(QString("Queue"), fill->second.text);
    else if (stage != nullptr && queue.to == stage->id)
      shown.rows << std::pair(QString("Queue before"), fill->second.text);
    else if (stage != nullptr && queue.from == stage->id)
      shown.rows << std::pair(QString("Queue after"), fill->second.text);
  }
}

void addCounts(NodeRun& shown, const NodeFigures& figures) {
  if (figures.failed.value_or(0) > 0)
    shown.rows << std::pair(QString("Failed"),
                            shownNumber(static_cast<std::int64_t>(*figures.failed)));
  for (const NamedCount& count : figures.counters)
    shown.rows << std::pair(toQt(count.name).replace('_', ' '),
                            shownNumber(static_cast<std::int64_t>(count.count)));
}

}  // namespace

std::optional<NodeRun> nodeRunOf(const LiveRun& run, const std::string& node) {
  if (!run.plan()) return std::nullopt;
  const RunOverlay overlay = overlayOf(run);
  NodeRun shown;
  shown.heading = run.label();
  const auto found = overlay.nodes.find(node);
  const bool isTimed = found != overlay.nodes.end() && !found->second.stage.empty();
  if (const auto region = overlay.regions.find(node); !isTimed && region != overlay.regions.end()) {
    shown.rows << std::pair(QString("Threads"), region->second.left);
    if (!region->second.right.isEmpty())
      shown.rows << std::pair(QString("Time"), region->second.right);
    addQueues(shown, run, overlay, node);
    return shown;
  }
  if (found == overlay.nodes.end()) return std::nullopt;
  if (!found->second.within.empty()) {
    shown.note = "It ran as one operation with " + run.titleOf(found->second.within) +
                 ", which has the figures of both.";
    return shown;
  }
  const NodeFigures* figures = figuresOf(run, node);
  shown.rows << std::pair(QString("Rate"),
                          QString(found->second.rate)
                              .replace("/s", run.passesBatches(node) ? "batches/s" : "samples/s"));
  addTimes(shown, found->second, figures, run.stageOf(node));
  if (found->second.stage.empty())
    shown.note = "It does no work for single samples, so it is not timed.";
  addQueues(shown, run, overlay, node);
  if (figures != nullptr) {
    addCounts(shown, *figures);
    shown.times = figures->service;
    shown.meanMs = figures->meanMs.value_or(0);
  }
  return shown;
}

}  // namespace millrace
