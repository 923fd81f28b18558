// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/run_strip.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kProgressHeight = 11;
constexpr double kLeastBar = 14;
constexpr double kMostLabel = 0.3;  ///< of the width

double whole(const RepeatProgress& repeat) { return repeat.warmupSeconds + repeat.measuredSeconds; }

}  // namespace

QString timeLeftText(double seconds) {
  const auto left = static_cast<std::int64_t>(std::ceil(std::max(0.0, seconds)));
  if (left < 60) return QString("%1 s left").arg(left);
  if (left < 3600) return QString("%1 min %2 s left").arg(left / 60).arg(left % 60);
  return QString("%1 h %2 min left").arg(left / 3600).arg(left % 3600 / 60);
}

RunStrip::RunStrip(QWidget* parent) : RunView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RunStrip::refresh(const LiveRun& run, const std::optional<TimeSpan>&) {
  if (!isVisible()) return;
  m_label = run.label() + (run.title().isEmpty() ? QString() : " of " + run.title());
  m_words = run.phaseText();
  m_over = run.isOver();
  m_left = run.secondsLeft() ? timeLeftText(*run.secondsLeft()) : QString();
  m_repeats = run.repeats();
  setAccessibleName(m_label + ", " + m_words + (m_left.isEmpty() ? "" : ", " + m_left));
  update();
}

void RunStrip::paintBars(QPainter& painter, const QRectF& box) const {
  const double total = std::accumulate(m_repeats.begin(), m_repeats.end(), 0.0,
                                       [](double sum, const auto& r) { return sum + whole(r); });
  if (total <= 0) return;
  const auto count = static_cast<double>(m_repeats.size());
  // Many repeats are drawn without gaps.
  const double gap = box.width() / count >= kLeastBar ? 4 : 0;
  const double scale = (box.width() - gap * (count - 1)) / total;
  const QColor done = theme()[m_over ? Tone::Hint : Tone::Water];
  double x = box.left();
  for (const RepeatProgress& repeat : m_repeats) {
    const QRectF bar(x, box.top(), whole(repeat) * scale, box.height());
    painter.fillRect(bar, theme()[Tone::WaterTrack]);
    const double warm = repeat.warmupSeconds * scale;
    painter.fillRect(QRectF(bar.left(), bar.top(), repeat.warmupDone * scale, bar.height()),
                     theme()[Tone::Control]);
    painter.fillRect(
        QRectF(bar.left() + warm, bar.top(), repeat.measuredDone * scale, bar.height()), done);
    x += bar.width() + gap;
  }
}

void RunStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[Tone::Window]);
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme()[Tone::Border]);
  const double middle = height() / 2.0;
  paintIcon(painter, "mill", QRectF(14, middle - 9, 18, 18),
            theme()[m_over ? Tone::Hint : Tone::Water]);
  double x = 44;
  const auto word = [&](const QString& text, const QFont& font, Tone tone) {
    painter.setFont(font);
    painter.setPen(theme()[tone]);
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    painter.drawText(QRectF(x, 0, width + 2, height()), Qt::AlignVCenter, text);
    x += width + 14;
  };
  const QFontMetricsF bold(uiFont(13, true));
  const QString label = bold.elidedText(m_label, Qt::ElideRight, width() * kMostLabel);
  word(label, uiFont(13, true), Tone::Text);
  word(m_words, uiFont(13), Tone::Text2);
  const QFontMetricsF metrics(uiFont(13));
  // Reserves room for the longest text, so that the bars do not move.
  x = std::max(x, 44 + bold.horizontalAdvance(label) + 28 +
                      metrics.horizontalAdvance("repeat 10 of 10, measuring 00 of 00 s"));
  const double right =
      width() - 14.0 - (m_left.isEmpty() ? 0 : metrics.horizontalAdvance(m_left) + 12);
  if (right - x > 60)
    paintBars(painter, {x, middle - kProgressHeight / 2, right - x, kProgressHeight});
  painter.setFont(uiFont(13));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(right, 0, width() - 14 - right, height()),
                   Qt::AlignVCenter | Qt::AlignRight, m_left);
}

}  // namespace millrace
