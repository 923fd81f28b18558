// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/times_histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "core/metrics/histogram_quantile.h"
#include "widgets/common/format.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kMs = 1e-6;  ///< in a nanosecond
/// The marked quantiles, with their names.
constexpr std::array kMarks = {std::pair(0.5, "median"), std::pair(0.95, "p95")};

double edge(std::size_t bucket) {
  return std::max(1.0, static_cast<double>(Histogram::lowerEdge(bucket)));
}

}  // namespace

TimesHistogram::TimesHistogram(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

double TimesHistogram::quantileNs(double p) const { return quantileMs(m_times, p, m_meanMs) / kMs; }

QStringList TimesHistogram::marks() const {
  QStringList words;
  for (const auto& [share, name] : kMarks)
    words << QString("%1%2%3").arg(name).arg(kNoBreak).arg(shownMs(kMs * quantileNs(share)));
  return words;
}

void TimesHistogram::show(const Histogram& times, double meanMs) {
  m_times = times;
  m_meanMs = meanMs;
  m_first = Histogram::kBuckets;
  m_last = 0;
  for (std::size_t b = 0; b + 1 < Histogram::kBuckets; ++b)
    if (m_times.counts[b] > 0) {
      m_first = std::min(m_first, b);
      m_last = b;
    }
  setVisible(m_first <= m_last);
  if (m_first > m_last) return;
  // A column on either side, so that a single bucket is not a wall.
  m_first = m_first > 0 ? m_first - 1 : 0;
  m_last = std::min(m_last + 1, Histogram::kBuckets - 2);
  setAccessibleName("Times of single samples");
  setAccessibleDescription(
      QString("Median %1, 95 % within %2")
          .arg(shownMs(kMs * quantileNs(0.5)), shownMs(kMs * quantileNs(0.95))));
  update();
}

QRectF TimesHistogram::plot() const { return QRectF(rect()).adjusted(4, 20, -4, -18); }

double TimesHistogram::xOf(double ns) const {
  const double low = std::log(edge(m_first));
  const double high = std::log(edge(m_last + 1));
  return plot().left() + plot().width() * (std::log(std::max(1.0, ns)) - low) / (high - low);
}

void TimesHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF area = plot();
  const auto most = static_cast<double>(std::ranges::max(m_times.counts));
  if (m_first > m_last || most <= 0) return;
  painter.fillRect(area, theme()[Tone::Base]);
  for (std::size_t b = m_first; b <= m_last; ++b) {
    const double high = area.height() * static_cast<double>(m_times.counts[b]) / most;
    const double left = xOf(edge(b));
    painter.fillRect(
        QRectF(left, area.bottom() - high, std::max(1.0, xOf(edge(b + 1)) - left - 1), high),
        theme()[Tone::Water]);
  }
  painter.setPen(QPen(theme()[Tone::Control], 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  painter.setFont(uiFont(11));
  const QFontMetricsF metrics(painter.font());
  double free = area.left();
  for (double decade = 1; decade < 1e12; decade *= 10)
    for (const double part : {1.0, 2.0, 5.0}) {
      const double x = xOf(part * decade);
      const QString word = shownMs(kMs * part * decade);
      const double width = metrics.horizontalAdvance(word);
      if (x - width / 2 < free || x + width / 2 > area.right() || kMs * part * decade < 1e-5)
        continue;
      painter.setPen(theme()[Tone::Text2]);
      painter.drawText(QRectF(x - width, area.bottom() + 2, 2 * width, 16), Qt::AlignCenter, word);
      free = x + width / 2 + 10;
    }
  free = 0;
  const QStringList words = marks();
  for (qsizetype i = 0; i < words.size(); ++i) {
    const double ns = quantileNs(kMarks[static_cast<std::size_t>(i)].first);
    const QString& word = words[i];
    painter.setPen(QPen(theme()[Tone::Text], 1, Qt::DashLine));
    painter.drawLine(QPointF(xOf(ns), area.top()), QPointF(xOf(ns), area.bottom()));
    const double width = metrics.horizontalAdvance(word);
    const double left =
        std::clamp(xOf(ns) - width / 2, free, std::max(free, this->width() - width));
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(QPointF(left, 14), word);
    free = left + width + 10;
  }
}

bool TimesHistogram::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t b = m_first; b <= m_last; ++b)
    if (help->pos().x() >= xOf(edge(b)) && help->pos().x() < xOf(edge(b + 1)))
      QToolTip::showText(help->globalPos(),
                         QString("%1 to %2: %3")
                             .arg(shownMs(kMs * edge(b)), shownMs(kMs * edge(b + 1)),
                                  shownNumber(static_cast<std::int64_t>(m_times.counts[b]))),
                         this);
  return true;
}

}  // namespace millrace
