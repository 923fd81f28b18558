// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/importance_bars.h"

#include <cmath>

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/sweep/sweep_grid.h"

namespace millrace {

namespace {

constexpr int kRow = 36;
constexpr int kBar = 8;

}  // namespace

ImportanceBars::ImportanceBars(const LiveSweep& sweep, QWidget* parent)
    : QWidget(parent), m_sweep(sweep), m_export(new QAction("Export chart…", this)) {
  setAccessibleName("Importance of the parameters");
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  m_export->setIcon(icon("export"));
  m_export->setEnabled(false);
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
  addAction(m_export);
}

QSize ImportanceBars::sizeHint() const {
  return {240, m_bars.isEmpty() ? 36 : static_cast<int>(m_bars.size()) * kRow};
}

void ImportanceBars::refresh() {
  m_bars.clear();
  m_missing.clear();
  m_export->setEnabled(false);
  const std::size_t axes = m_sweep.plan().axes.size();
  // With one parameter there is nothing to attribute.
  setVisible(m_sweep.isKnown() && axes > 1);
  if (!m_sweep.isKnown() || axes < 2) return;
  const Importance& importance = m_sweep.finding().importance;
  m_missing = sentence(importance.missing);
  if (importance.missing.empty()) {
    m_missing.clear();
    for (std::size_t a = 0; a < importance.shares.size(); ++a)
      m_bars << Bar{shownParameter(m_sweep, a), importance.shares[a]};
    m_bars << Bar{"only together", importance.together};
    if (importance.noise) m_bars << Bar{"scatter", *importance.noise};
  }
  m_export->setEnabled(!m_bars.isEmpty());
  QStringList words;
  for (const Bar& bar : m_bars)
    words << QString("%1: %2 %").arg(bar.name).arg(std::lround(bar.share * 100));
  setAccessibleDescription(m_bars.isEmpty() ? m_missing : words.join(", "));
  setToolTip(
      "Share of the differences in samples/s that is due to one parameter alone (main effects of "
      "an "
      "analysis of variance)");
  updateGeometry();
  update();
}

void ImportanceBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void ImportanceBars::contextMenuEvent(QContextMenuEvent* event) {
  QMenu::exec({m_export}, event->globalPos(), nullptr, this);
}

ViewExport ImportanceBars::description() const {
  ViewExport view;
  view.title = "Importance of parameters";
  view.size = size();
  view.paint = [this](QPainter& painter) {
    painter.fillRect(rect(), theme()[Tone::Base]);
    paint(painter);
  };
  view.table = [this] {
    TextTable table{{"parameter", "share"}, {}};
    for (const Bar& bar : m_bars) table.rows << QVariantList{bar.name, bar.share};
    return table;
  };
  return view;
}

Status ImportanceBars::exportTo(const QString& file) const {
  return exportView(description(), file);
}

void ImportanceBars::paint(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  if (m_bars.isEmpty()) {
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_missing);
    return;
  }
  for (int i = 0; i < m_bars.size(); ++i) {
    const QRectF row(0, i * kRow, width(), kRow);
    const QString share = QString("%1%2%").arg(std::lround(m_bars[i].share * 100)).arg(kNoBreak);
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(row.adjusted(0, 0, -48, -kRow / 2.0), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_bars[i].name, Qt::ElideRight,
                                                      static_cast<int>(row.width()) - 50));
    painter.drawText(row.adjusted(0, 0, 0, -kRow / 2.0), Qt::AlignRight | Qt::AlignVCenter, share);
    const QRectF track(0, row.top() + 21, row.width(), kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme()[Tone::WaterTrack]);
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(theme()[Tone::Water]);
    QRectF filled = track;
    filled.setWidth(track.width() * std::clamp(m_bars[i].share, 0.0, 1.0));
    if (filled.width() >= 1) painter.drawRoundedRect(filled, 3, 3);
  }
}

}  // namespace millrace
