// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/count_bars.h"

#include <algorithm>
#include <functional>

#include <QContextMenuEvent>
#include <QPainter>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kTitle = 30;
constexpr int kRow = 24;
constexpr int kBar = 10;
/// So that a name that fits is not elided because of a rounded width.
constexpr int kSlack = 2;
constexpr qsizetype kMostShown = 16;

QString percentText(std::uint64_t count, std::uint64_t of) {
  const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(of);
  return (percent < 1 ? QString("below 1") : QString::number(percent, 'f', 0)) + kNoBreak + '%';
}

}  // namespace

CountBars::CountBars(const QString& title, QWidget* parent) : QWidget(parent), m_title(title) {
  setAccessibleName(title);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  hide();
}

void CountBars::show(const QList<Bar>& bars) {
  m_bars = bars;
  m_sum = 0;
  m_most = 0;
  QStringList words;
  for (const Bar& bar : m_bars) {
    m_sum += bar.count;
    m_most = std::max(m_most, bar.count);
    if (words.size() < kMostShown)
      words << bar.name + ": " + shownNumber(static_cast<std::int64_t>(bar.count));
  }
  setAccessibleDescription(words.join(", "));
  setVisible(m_most > 0);
  updateGeometry();
  update();
}

/// The last line is for the rest.
qsizetype CountBars::shown() const {
  return m_bars.size() > kMostShown ? kMostShown - 1 : m_bars.size();
}

QSize CountBars::sizeHint() const {
  const auto rows = static_cast<int>(std::min(m_bars.size(), kMostShown));
  return {300, kTitle + rows * kRow + 8};
}

void CountBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void CountBars::contextMenuEvent(QContextMenuEvent* event) {
  popUpViewMenu(this, event->globalPos(), description());
}

TextTable CountBars::table() const {
  TextTable table{{m_title.toLower(), "samples"}, {}};
  for (const Bar& bar : m_bars) table.rows << QVariantList{bar.name, qulonglong{bar.count}};
  return table;
}

ViewExport CountBars::description() const {
  ViewExport view;
  view.title = m_title;
  view.size = size();
  view.paint = [this](QPainter& painter) {
    painter.fillRect(rect(), theme()[Tone::Base]);
    paint(painter);
  };
  view.table = [this] { return table(); };
  return view;
}

Status CountBars::exportTo(const QString& file) const { return exportView(description(), file); }

void CountBars::paint(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(0, 0, width(), kTitle), Qt::AlignLeft | Qt::AlignVCenter, m_title);
  painter.setFont(uiFont(12));
  const QFontMetrics metrics = painter.fontMetrics();
  int nameWidth = 0;
  for (qsizetype i = 0; i < shown(); ++i)
    nameWidth = std::max(nameWidth, metrics.horizontalAdvance(m_bars[i].name) + kSlack);
  nameWidth = std::min(nameWidth, width() * 2 / 5);
  const int countWidth =
      metrics.horizontalAdvance(shownNumber(static_cast<std::int64_t>(m_most)) + "  below 1 %");
  const double left = nameWidth + 10;
  const double room = std::max(20.0, width() - left - countWidth - 10);
  for (qsizetype i = 0; i < shown(); ++i) {
    const Bar& bar = m_bars[i];
    const double top = kTitle + static_cast<double>(i) * kRow;
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(QRectF(0, top, nameWidth, kRow), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(bar.name, Qt::ElideMiddle, nameWidth));
    const double length = room * static_cast<double>(bar.count) / static_cast<double>(m_most);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().series(0));
    if (bar.count > 0)
      painter.drawRoundedRect(QRectF(left, top + (kRow - kBar) / 2.0, std::max(2.0, length), kBar),
                              2, 2);
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(
        QRectF(left + (bar.count > 0 ? std::max(2.0, length) : 0) + 8, top, countWidth + 20, kRow),
        Qt::AlignLeft | Qt::AlignVCenter,
        shownNumber(static_cast<std::int64_t>(bar.count)) + "  " +
            (bar.count > 0 ? percentText(bar.count, m_sum) : QString()));
  }
  if (shown() == m_bars.size()) return;
  const Bar& last = m_bars.last();
  painter.drawText(QRectF(left, kTitle + static_cast<double>(shown()) * kRow, width() - left, kRow),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   QString("and %1 more, down to %2 with %3")
                       .arg(shownNumber(static_cast<std::int64_t>(m_bars.size() - shown())),
                            last.name, shownNumber(static_cast<std::int64_t>(last.count))));
}

QList<CountBars::Bar> barsOf(const CountByName& counts) {
  QList<CountBars::Bar> bars;
  for (const auto& [name, count] : counts) bars << CountBars::Bar{toQt(name), count};
  return bars;
}

QList<CountBars::Bar> barsOf(const CountByName& counts, const QStringList& names) {
  QList<CountBars::Bar> bars;
  for (const QString& name : names)
    if (const auto found = counts.find(fromQt(name)); found != counts.end())
      bars << CountBars::Bar{name, found->second};
  return bars;
}

QList<CountBars::Bar> classBars(const SetReport& set) {
  QList<CountBars::Bar> bars;
  for (std::size_t c = 0; c < set.classes.size(); ++c)
    bars << CountBars::Bar{toQt(set.classes[c]), c < set.perClass.size() ? set.perClass[c] : 0};
  std::ranges::stable_sort(bars, std::greater(), &CountBars::Bar::count);
  if (set.unlabelled > 0 && !bars.isEmpty()) bars << CountBars::Bar{"no class", set.unlabelled};
  return bars;
}

}  // namespace millrace
