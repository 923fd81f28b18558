// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/chain_strip.h"

#include <algorithm>

#include <QPainter>
#include <QSizePolicy>

#include "widgets/common/icons.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

constexpr int kMark = 26;
constexpr int kStep = 38;
constexpr int kLeastStep = 33;
constexpr int kRow = 36;

}  // namespace

ChainStrip::ChainStrip(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ChainStrip::show(const Graph& graph, const Catalog& catalog) {
  m_marks.clear();
  QStringList titles;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.state == NodeState::Bypass) continue;
    m_marks.push_back({iconOf(*spec), spec->category});
    titles << titleOf(node, spec);
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

int ChainStrip::heightForWidth(int width) const { return rowsAt(width) * kRow; }

void ChainStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int rows = rowsAt(width());
  const int across = std::max(1, (static_cast<int>(m_marks.size()) + rows - 1) / rows);
  const int step = across < 2 ? kStep : std::min(kStep, (width() - kMark) / (across - 1));
  for (int i = 0; i < static_cast<int>(m_marks.size()); ++i) {
    const QRectF box(i % across * step, i / across * kRow + (kRow - kMark) / 2.0, kMark, kMark);
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
