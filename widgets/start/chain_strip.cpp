// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/chain_strip.h"

#include <algorithm>

#include <QPainter>
#include <QSizePolicy>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

constexpr int kMark = 26;
constexpr int kStep = 38;
constexpr int kLeastStep = 33;
constexpr int kAroundMarks = 3;  ///< of a region around its marks
constexpr int kRow = 36;
constexpr int kCaption = 16;  ///< below a row, for the threads of its regions

bool endsRegion(NodeRole role) {
  return role == NodeRole::Batch || role == NodeRole::Prefetch || role == NodeRole::Transfer ||
         role == NodeRole::Consumer;
}

/// "2 threads"
QString threadsOf(const GraphNode& node, const NodeSpec& spec) {
  Values values = spec.defaults();
  for (const auto& [name, param] : node.params)
    if (const auto* value = std::get_if<Value>(&param)) values[name] = *value;
  return shownCount(spec.workers(values).count, "thread");
}

}  // namespace

ChainStrip::ChainStrip(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ChainStrip::show(const Graph& graph, const Catalog& catalog) {
  m_marks.clear();
  m_regions.clear();
  QStringList titles;
  bool isOpen = false;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.state == NodeState::Bypass) continue;
    titles << titleOf(node, spec);
    if (spec->role == NodeRole::Workers) {
      m_regions.push_back({m_marks.size(), m_marks.size(), threadsOf(node, *spec)});
      isOpen = true;
      continue;
    }
    isOpen = isOpen && !endsRegion(spec->role);
    m_marks.push_back({iconOf(*spec), spec->category});
    if (isOpen) m_regions.back().end = m_marks.size();
  }
  setToolTip(titles.join(", "));
  setAccessibleName("Nodes: " + titles.join(", "));
  updateGeometry();
  update();
}

int ChainStrip::rowsAt(int width) const {
  const int most = std::max(1, (width - kMark) / kLeastStep + 1);
  return std::max(1, (static_cast<int>(m_marks.size()) + most - 1) / most);
}

int ChainStrip::heightForWidth(int width) const { return rowsAt(width) * (kRow + kCaption); }

/// The part of a region in each row, with its threads below the first one.
void ChainStrip::paintRegion(QPainter& painter, const Region& region, int across, int step) const {
  painter.setFont(uiFont(11));
  for (auto i = static_cast<int>(region.begin); i < static_cast<int>(region.end);) {
    const int row = i / across;
    const int last = std::min(static_cast<int>(region.end), (row + 1) * across) - 1;
    const QRectF box(i % across * step - kAroundMarks + 0.5, row * (kRow + kCaption) + 0.5,
                     (last - i) * step + kMark + 2 * kAroundMarks, kRow - 1);
    painter.setPen(QPen(theme()[Tone::Control], 1));
    painter.setBrush(theme()[Tone::Alt]);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(theme()[Tone::Text2]);
    if (i == static_cast<int>(region.begin))
      painter.drawText(QRectF(box.center().x() - 60, box.bottom() + 1, 120, kCaption),
                       Qt::AlignCenter, region.threads);
    i = last + 1;
  }
}

void ChainStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int rows = rowsAt(width());
  const int across = std::max(1, (static_cast<int>(m_marks.size()) + rows - 1) / rows);
  const int step = across < 2 ? kStep : std::min(kStep, (width() - kMark) / (across - 1));
  for (const Region& region : m_regions) paintRegion(painter, region, across, step);
  for (int i = 0; i < static_cast<int>(m_marks.size()); ++i) {
    const QRectF box(i % across * step, i / across * (kRow + kCaption) + (kRow - kMark) / 2.0,
                     kMark, kMark);
    const bool isLast = i + 1 == static_cast<int>(m_marks.size());
    if (!isLast && (i + 1) % across != 0) {
      painter.setPen(QPen(theme()[Tone::WireHost], 2));
      painter.drawLine(QPointF(box.right(), box.center().y()),
                       QPointF(box.right() + step - kMark, box.center().y()));
    }
    const Mark& mark = m_marks[static_cast<std::size_t>(i)];
    paintMark(painter, mark.icon, mark.category, box);
  }
}

}  // namespace millrace
