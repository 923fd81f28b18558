// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/stall_bar.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QPainter>

#include "widgets/common/contrast.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr int kTitle = 20;
constexpr int kBar = 24;
constexpr int kPartRow = 20;

}  // namespace

StallBar::StallBar(QWidget* parent)
    : QWidget(parent), m_export(new QAction(icon("export"), "Export chart…", this)) {
  setAccessibleName("Where a batch's time goes");
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
  addAction(m_export);
}

void StallBar::show(const StallSplit& split) {
  m_batchSeconds = split.batchSeconds;
  const QString fetch = split.fetchByRun ? QString("Reading") : QString("Reading (estimate)");
  m_parts = {{fetch, Category::Source, split.fetch, "not measured"},
             {"Loader's work", Category::Geometry, split.prepare, "not measured"},
             {"Transfer", Category::Runtime, split.transfer, "no device"},
             {"Step", Category::Consumer, split.step, "no step"}};
  QStringList words;
  for (const Part& part : m_parts)
    if (part.seconds)
      words << QString("%1: %2 %").arg(part.name).arg(std::lround(100 * share(part)));
  setAccessibleDescription(words.join(", "));
  updateGeometry();
  update();
}

double StallBar::share(const Part& part) const {
  return m_batchSeconds > 0 ? std::clamp(part.seconds.value_or(0) / m_batchSeconds, 0.0, 1.0) : 0;
}

QSize StallBar::sizeHint() const {
  return {280, kTitle + kBar + 8 + static_cast<int>(m_parts.size()) * kPartRow};
}

void StallBar::paint(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(QRectF(0, 0, width(), kTitle), Qt::AlignLeft | Qt::AlignTop,
                   painter.fontMetrics().elidedText(
                       "A batch takes " + shownMs(1000 * m_batchSeconds), Qt::ElideRight, width()));
  double x = 0;
  double y = kTitle + kBar + 8;
  painter.fillRect(QRectF(0, kTitle, width(), kBar), theme()[Tone::WaterTrack]);
  for (const Part& part : m_parts) {
    const QColor colour = theme().category(part.category);
    const QRectF box(x, kTitle, share(part) * width(), kBar);
    const QString percent = QString("%1%2%").arg(std::lround(100 * share(part))).arg(kNoBreak);
    painter.fillRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0), colour);
    x += box.width();
    painter.setFont(uiFont(12, true));
    const auto ink = readableOn(colour);
    if (ink && painter.fontMetrics().horizontalAdvance(percent) + 8 < box.width()) {
      painter.setPen(*ink);
      painter.drawText(box, Qt::AlignCenter, percent);
    }
    painter.fillRect(QRectF(0, y + 5, 10, 10), part.seconds ? colour : theme()[Tone::WaterTrack]);
    painter.setFont(uiFont(12));
    painter.setPen(theme()[part.seconds ? Tone::Text : Tone::Hint]);
    const QString value = part.seconds ? percent + ", " + shownMs(1000 * *part.seconds) : part.why;
    const int room = painter.fontMetrics().horizontalAdvance(value);
    painter.drawText(QRectF(0, y, width(), kPartRow), Qt::AlignRight | Qt::AlignVCenter, value);
    painter.drawText(QRectF(16, y, width() - 24 - room, kPartRow), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(part.name, Qt::ElideRight,
                                                      std::max(0, width() - 24 - room)));
    y += kPartRow;
  }
}

void StallBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void StallBar::contextMenuEvent(QContextMenuEvent* event) {
  popUpViewMenu(this, event->globalPos(), description());
}

ViewExport StallBar::description() const {
  ViewExport view;
  view.title = "Where a batch's time goes";
  view.size = size();
  view.paint = [this](QPainter& painter) {
    painter.fillRect(rect(), theme()[Tone::Base]);
    paint(painter);
  };
  view.table = [this] {
    TextTable table{{"part", "seconds", "share"}, {}};
    for (const Part& part : m_parts)
      table.rows << (part.seconds ? QVariantList{part.name, *part.seconds, share(part)}
                                  : QVariantList{part.name, QVariant(), QVariant()});
    return table;
  };
  return view;
}

Status StallBar::exportTo(const QString& file) const { return exportView(description(), file); }

}  // namespace millrace
