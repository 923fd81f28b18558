// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// PipelineEditor's functions that line up the selected nodes.
#include <algorithm>

#include "widgets/canvas/editor/pipeline_editor.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/models/document.h"

namespace millrace {

using namespace canvas;

namespace {

double beginOf(const QRectF& box, Qt::Orientation along) {
  return along == Qt::Horizontal ? box.left() : box.top();
}
double lengthAlong(const QRectF& box, Qt::Orientation along) {
  return along == Qt::Horizontal ? box.width() : box.height();
}
void moveTo(QRectF& box, Qt::Orientation along, double begin) {
  along == Qt::Horizontal ? box.moveLeft(begin) : box.moveTop(begin);
}

}  // namespace

std::vector<std::pair<NodeId, QRectF>> PipelineEditor::alignable(Qt::Orientation order) const {
  std::vector<std::pair<NodeId, QRectF>> boxes;
  for (const NodeId& id : m_selection.nodes())
    if (!m_geometry.layout().isFrame(id)) boxes.emplace_back(id, m_geometry.layout().nodes.at(id));
  std::ranges::stable_sort(boxes, {}, [&](const auto& box) { return beginOf(box.second, order); });
  return boxes;
}

void PipelineEditor::moveBoxes(const QString& text,
                               const std::vector<std::pair<NodeId, QRectF>>& boxes) {
  NodePlaces places;
  for (const auto& [id, box] : boxes) places[id] = snapped(box.topLeft());
  m_document.edit(text, m_geometry.settled(moved(m_document.graph(), places)));
}

void PipelineEditor::align(Qt::Edge edge) {
  const bool isColumn = edge == Qt::LeftEdge || edge == Qt::RightEdge;
  const Qt::Orientation along = isColumn ? Qt::Vertical : Qt::Horizontal;
  auto boxes = alignable(along);
  if (boxes.size() < 2) return;
  QRectF all;
  for (const auto& [id, box] : boxes) all |= box;
  double free = beginOf(boxes.front().second, along);
  for (auto& [id, box] : boxes) {
    if (edge == Qt::LeftEdge) box.moveLeft(all.left());
    if (edge == Qt::RightEdge) box.moveRight(all.right());
    if (edge == Qt::TopEdge) box.moveTop(all.top());
    if (edge == Qt::BottomEdge) box.moveBottom(all.bottom());
    // Nodes that lay side by side would cover each other.
    moveTo(box, along, std::max(beginOf(box, along), free));
    free = beginOf(box, along) + lengthAlong(box, along) + (isColumn ? kStrip + kGrid : kGapX);
  }
  moveBoxes("Align " + selectedTitles(), boxes);
}

void PipelineEditor::distribute(Qt::Orientation along) {
  auto boxes = alignable(along);
  if (boxes.size() < 3) return;
  double taken = 0;
  for (const auto& [id, box] : boxes) taken += lengthAlong(box, along);
  const QRectF& last = boxes.back().second;
  const double begin = beginOf(boxes.front().second, along);
  const double room = beginOf(last, along) + lengthAlong(last, along) - begin - taken;
  const double gap = std::max(kGrid, room / static_cast<double>(boxes.size() - 1));
  double at = begin;
  for (auto& [id, box] : boxes) {
    moveTo(box, along, at);
    at += lengthAlong(box, along) + gap;
  }
  moveBoxes("Distribute " + selectedTitles(), boxes);
}

}  // namespace millrace
