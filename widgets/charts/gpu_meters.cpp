// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/gpu_meters.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "core/metrics/metric_spec.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kHead = 26;
constexpr double kMost = 21;
constexpr double kLeast = 13;
constexpr double kLabel = 86;
constexpr double kBarLeast = 40;

}  // namespace

void GpuMeters::show(const QString& title, std::vector<GpuRow> rows) {
  if (title == m_title && rows == m_rows) return;
  m_title = title;
  m_rows = std::move(rows);
  QStringList words;
  for (const GpuRow& row : m_rows) words << row.label + ' ' + row.text;
  setAccessibleName(m_title);
  setAccessibleDescription(words.join(". "));
  update();
}

double GpuMeters::rowHeight() const {
  const double room = height() - kHead - 6;
  return std::clamp(room / std::max<double>(1, static_cast<double>(m_rows.size())), kLeast, kMost);
}

QRectF GpuMeters::rowAt(std::size_t i) const {
  return {12, kHead + static_cast<double>(i) * rowHeight(), width() - 24.0, rowHeight()};
}

void GpuMeters::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[Tone::Text]);
  const QRectF head(12, 4, width() - 24.0, kHead - 6);
  painter.drawText(
      head, Qt::AlignVCenter,
      painter.fontMetrics().elidedText(m_title, Qt::ElideRight, static_cast<int>(head.width())));
  for (std::size_t i = 0; i < m_rows.size(); ++i) paintRow(painter, m_rows[i], rowAt(i));
}

void GpuMeters::paintRow(QPainter& painter, const GpuRow& row, const QRectF& at) const {
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(at.adjusted(0, 0, kLabel - 4 - at.width(), 0), Qt::AlignVCenter, row.label);
  QRectF words = at.adjusted(kLabel, 0, 0, 0);
  if (row.share) {
    const double wide = painter.fontMetrics().horizontalAdvance(row.text) + 8.0;
    QRectF bar = words.adjusted(0, at.height() * 0.25, -wide, -at.height() * 0.25);
    if (bar.width() >= kBarLeast) {
      painter.fillRect(bar, theme()[Tone::WaterTrack]);
      bar.setWidth(bar.width() * *row.share);
      painter.fillRect(bar, theme()[Tone::Water]);
      words.setLeft(words.right() - wide);
    }
  }
  painter.setPen(theme()[row.warns ? Tone::Warning : Tone::Text]);
  painter.drawText(
      words, Qt::AlignVCenter | (row.share ? Qt::AlignRight : Qt::AlignLeft),
      painter.fontMetrics().elidedText(row.text, Qt::ElideRight, static_cast<int>(words.width())));
}

bool GpuMeters::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    if (!rowAt(i).contains(help->pos())) continue;
    const MetricSpec* spec = findMetric(fromQt(m_rows[i].metric));
    const QString words =
        QString("<p><b>%1</b> %2</p>").arg(m_rows[i].label, m_rows[i].text.toHtmlEscaped());
    QToolTip::showText(
        help->globalPos(),
        spec == nullptr
            ? words
            : words + QString("<p>%1</p><p>%2</p>").arg(toQt(spec->meaning), toQt(spec->reading)),
        this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

}  // namespace millrace
