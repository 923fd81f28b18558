// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/core_panel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>

#include "core/metrics/disturbance.h"
#include "widgets/common/format.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kFull = 0.9;
constexpr double kIdle = 0.2;
constexpr double kCoreRow = 21;
constexpr double kLeastCoreRow = 8;
constexpr double kTextHeight = 84;  ///< five lines

QString coresAre(std::ptrdiff_t count, const char* what) {
  return QString("%1 %2 %3").arg(count).arg(count == 1 ? "is" : "are", what);
}

}  // namespace

QString loadText(const std::vector<double>& shares, const std::optional<double>& others) {
  if (shares.empty()) return {};
  const auto count = static_cast<double>(shares.size());
  const double busy = std::accumulate(shares.begin(), shares.end(), 0.0);
  const auto full = std::ranges::count_if(shares, [](double share) { return share >= kFull; });
  const auto idle = std::ranges::count_if(shares, [](double share) { return share <= kIdle; });
  QString words = QString("%1 of %2.")
                      .arg(shownShare(busy / count),
                           shownCount(static_cast<std::int64_t>(shares.size()), "core"));
  if (full == static_cast<std::ptrdiff_t>(shares.size()))
    words += " All are full: there is no room for more workers.";
  else if (full > 0 && idle > 0)
    words += ' ' + coresAre(full, "full") + ", " + coresAre(idle, "idle") +
             ": there is room for more workers.";
  else if (idle > 0)
    words += ' ' + coresAre(idle, "idle") + ": there is room for more workers.";
  if (others && *others > kDisturbedShare)
    words += " Other programs used " + shownShare(*others) + ", which disturbs these figures.";
  return words;
}

CorePanel::CorePanel(QWidget* parent) : PaintedView("CPU by core", parent) {}

void CorePanel::refresh(const LiveRun& run, const std::optional<TimeSpan>& range) {
  if (!follows()) return;
  const LiveSpan span = range ? run.between(*range) : run.shown();
  m_shares = span.coreShares;
  const bool whole = !range && run.isOver() && run.result();
  m_words = loadText(m_shares, whole ? run.result()->result.figures.otherBusyShare : std::nullopt);
  setAccessibleDescription(m_words);
  update();
}

TextTable CorePanel::table() const {
  TextTable table{{"core", "busy_share"}, {}};
  for (std::size_t i = 0; i < m_shares.size(); ++i)
    table.rows << QVariantList{static_cast<int>(i), m_shares[i]};
  return table;
}

void CorePanel::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setPen(theme()[Tone::Hint]);
  if (m_shares.empty()) {
    painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                     "Each core's load appears here during a run.");
    return;
  }
  const double room = height() - 20 - kTextHeight;
  const auto cores = static_cast<double>(m_shares.size());
  const double columns =
      std::max(1.0, std::ceil(cores * kLeastCoreRow / std::max(room, kLeastCoreRow)));
  const double rows = std::ceil(cores / columns);
  const double row = std::clamp(room / rows, kLeastCoreRow, kCoreRow);
  const double column = (width() - 24) / columns;
  const bool worded = row >= 15 && column >= 130;
  for (std::size_t i = 0; i < m_shares.size(); ++i) {
    const double x = 12 + column * std::floor(static_cast<double>(i) / rows);
    const double y = 10 + row * std::fmod(static_cast<double>(i), rows);
    const double left = worded ? 52 : 0;
    const double right = worded ? 46 : 6;
    const QRectF track(x + left, y + row * 0.2, column - left - right, row * 0.6);
    painter.fillRect(track, theme()[Tone::WaterTrack]);
    QRectF bar = track;
    bar.setWidth(track.width() * m_shares[i]);
    painter.fillRect(bar, theme()[Tone::Water]);
    if (!worded) continue;
    painter.setFont(uiFont(12));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QRectF(x, y, left - 4, row), Qt::AlignVCenter, QString("core %1").arg(i));
    painter.setFont(uiFont(12, m_shares[i] >= kFull));
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(QRectF(track.right(), y, right, row), Qt::AlignVCenter | Qt::AlignRight,
                     shownShare(m_shares[i]));
  }
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(12, 16 + row * rows, width() - 24, kTextHeight),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_words);
}

}  // namespace millrace
