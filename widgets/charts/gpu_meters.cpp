// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/gpu_meters.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "core/metrics/metric_spec.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kHead = 26;
constexpr double kMost = 21;
constexpr double kLeast = 13;
constexpr double kBarLeast = 40;
constexpr double kBarBelow = 3;  ///< height of a bar below a text that leaves no room next to it
constexpr double kGap = 8;
constexpr double kSign = 12;

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
  paint(painter);
}

void GpuMeters::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[Tone::Text]);
  const QRectF head(12, 4, width() - 24.0, kHead - 6);
  painter.drawText(
      head, Qt::AlignVCenter,
      painter.fontMetrics().elidedText(m_title, Qt::ElideRight, static_cast<int>(head.width())));
  for (std::size_t i = 0; i < m_rows.size(); ++i) paintRow(painter, m_rows[i], rowAt(i));
}

double GpuMeters::labelWidth() const {
  const QFontMetricsF metrics(uiFont(12));
  double wide = 0;
  for (const GpuRow& row : m_rows) wide = std::max(wide, metrics.horizontalAdvance(row.label));
  return std::ceil(std::min(wide, width() * 0.5)) + kGap;
}

QRectF GpuMeters::textRect(const GpuRow& row, const QRectF& at) const {
  return at.adjusted(labelWidth() + (row.warns ? kSign + 4 : 0), 0, 0, 0);
}

QStringList GpuMeters::cutRows() const {
  const QFontMetricsF metrics(uiFont(12));
  QStringList cut;
  for (std::size_t i = 0; i < m_rows.size(); ++i)
    if (metrics.horizontalAdvance(m_rows[i].text) > textRect(m_rows[i], rowAt(i)).width())
      cut << m_rows[i].label;
  return cut;
}

void GpuMeters::paintRow(QPainter& painter, const GpuRow& row, const QRectF& at) const {
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(at, Qt::AlignVCenter, row.label);
  QRectF words = textRect(row, at);
  if (row.warns)
    paintIcon(painter, "warning",
              {words.left() - kSign - 4, at.center().y() - kSign / 2, kSign, kSign},
              theme()[Tone::Warning]);
  if (row.share) {
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(row.text) + kGap;
    QRectF bar = words.adjusted(0, at.height() * 0.25, -wide, -at.height() * 0.25);
    if (bar.width() < kBarLeast) {
      bar = words.adjusted(0, words.height() - kBarBelow, 0, 0);
      words.translate(0, -1);
    }
    painter.fillRect(bar, theme()[Tone::WaterTrack]);
    bar.setWidth(bar.width() * *row.share);
    painter.fillRect(bar, theme()[Tone::Water]);
  }
  painter.setPen(theme()[row.warns ? Tone::Warning : Tone::Text]);
  painter.drawText(
      words, Qt::AlignVCenter | int{row.share ? Qt::AlignRight : Qt::AlignLeft},
      QFontMetricsF(painter.font()).elidedText(row.text, Qt::ElideRight, words.width() + 1));
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
