// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_cell_delegate.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/common/icons.h"
#include "widgets/runs/run_marks.h"
#include "widgets/runs/run_table_model.h"
#include "widgets/runs/run_table_view.h"

namespace millrace {

namespace {

constexpr int kPad = 8;
constexpr double kMark = 18;
constexpr int kIcon = 14;
constexpr int kInterval = 108;      ///< width after a rate
constexpr int kLeastInterval = 24;  ///< not shown if narrower
constexpr int kGap = 6;             ///< between rate and interval
constexpr int kTagGap = 4;
constexpr int kAroundVerdict = 2 * kPad + 18 + 32;  ///< its icon and the mark after it

/// Rounded up: a text is cut if its room is a fraction of a pixel too narrow.
int widthOf(const QString& text, const QFont& font) {
  return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

VerdictKind verdictKind(const QModelIndex& index) {
  return static_cast<VerdictKind>(index.data(RunTableModel::VerdictRole).toInt());
}

/// The clickable box after an undecided verdict, which requests a measurement.
QRect measureBox(const QRect& cell, const QModelIndex& index) {
  if (!index.data(RunTableModel::VerdictRole).isValid()) return {};
  const VerdictKind kind = verdictKind(index);
  const bool open =
      kind == VerdictKind::TooFew || kind == VerdictKind::NotAlike || kind == VerdictKind::Same;
  return open ? QRect(cell.right() - 24, cell.top() + 2, 24, cell.height() - 4) : QRect();
}

void paintElided(QPainter& painter, const QRect& box, Qt::Alignment side, const QString& text,
                 Qt::TextElideMode mode = Qt::ElideRight) {
  painter.drawText(box, static_cast<int>(side | Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(text, mode, box.width()));
}

void paintGround(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const Theme& t = theme();
  const bool selected = option.state & QStyle::State_Selected;
  const bool hovered = option.state & QStyle::State_MouseOver;
  painter.fillRect(option.rect, t[selected  ? Tone::AccentSoft
                                  : hovered ? Tone::Hover
                                            : Tone::Base]);
  const bool last = index.data(RunTableModel::IsLastOnTopRole).toBool();
  painter.setPen(QPen(t[last ? Tone::Control : Tone::Border], last ? 2 : 1));
  const int y = option.rect.bottom() + (last ? 0 : 1) - (last ? 0 : 1);
  painter.drawLine(option.rect.left(), y, option.rect.right() + 1, y);
  if (selected && index.column() == 0)
    painter.fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                     t[Tone::Accent]);
  if ((option.state & QStyle::State_HasFocus) && selected) {
    painter.setPen(QPen(t[Tone::Accent], 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
}

void paintNumber(QPainter& painter, const QRect& box, const QModelIndex& index) {
  if (index.data(RunTableModel::IsPinnedRole).toBool() ||
      index.data(RunTableModel::IsBaselineRole).toBool())
    paintIcon(painter, "pin",
              QRectF(box.left() + kPad, box.center().y() - kIcon / 2.0 + 1, kIcon, kIcon),
              theme()[Tone::Text2]);
  const QString text = index.data().toString();
  painter.setFont(uiFont(13, true));
  painter.setPen(theme()[Tone::Text]);
  paintElided(painter, box.adjusted(kPad, 0, -kPad, 0), Qt::AlignRight, text);
  const int mark = index.data(RunTableModel::MarkRole).toInt();
  if (mark < 0) return;
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
  paintLineMark(painter,
                QRectF(box.right() - kPad - width - 8 - kMark, box.top(), kMark, box.height()),
                mark);
}

/// The figure, followed by its interval, which is cut first.
void paintRate(QPainter& painter, const QRect& box, const QModelIndex& index, int wide) {
  const QRect room = box.adjusted(kPad, 0, -kPad, 0);
  const QString rate = index.data().toString();
  painter.setFont(uiFont(13, true));
  const int left = room.width() - widthOf(rate, painter.font());
  const int interval = left < kLeastInterval ? 0 : std::min(left, kInterval + wide);
  painter.setPen(theme()[Tone::Text]);
  paintElided(painter, room.adjusted(0, 0, -interval, 0), Qt::AlignRight, rate);
  if (interval == 0) return;
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  paintElided(painter, room.adjusted(room.width() - interval + kGap, 0, 0, 0), Qt::AlignLeft,
              index.data(RunTableModel::DetailRole).toString());
}

void paintChange(QPainter& painter, const QRect& box, const QModelIndex& index) {
  const QString text = index.data().toString();
  if (text.isEmpty()) return;
  const bool known = index.data(RunTableModel::VerdictRole).isValid();
  const bool faster = known && verdictKind(index) == VerdictKind::Faster;
  const bool slower = known && verdictKind(index) == VerdictKind::Slower;
  painter.setFont(uiFont(13, faster || slower));
  painter.setPen(theme()[faster ? Tone::Faster : slower ? Tone::Slower : Tone::Text2]);
  const QString arrow = faster ? "▲ " : slower ? "▼ " : "";
  paintElided(painter, box.adjusted(kPad, 0, -kPad, 0), Qt::AlignRight, arrow + text);
}

double tagWidth(const QString& tag) {
  return QFontMetricsF(uiFont(12)).horizontalAdvance(tag) + 12;
}

void paintTags(QPainter& painter, const QRect& box, const QModelIndex& index) {
  const QFont font = uiFont(12);
  painter.setFont(font);
  double x = box.left() + kPad;
  for (const QString& tag : index.data(RunTableModel::TagsRole).toStringList()) {
    const double width = tagWidth(tag);
    if (x + width > box.right() - 2) {
      painter.setPen(theme()[Tone::Text2]);
      painter.drawText(QRectF(x, box.top(), box.right() - x, box.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, "…");
      return;
    }
    const QRectF chip(x, box.center().y() - 8.5, width, 18);
    painter.setPen(QPen(theme()[Tone::Control], 1));
    painter.setBrush(theme()[Tone::Alt]);
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(chip, Qt::AlignCenter, tag);
    x += width + kTagGap;
  }
}

void paintBaselineChip(QPainter& painter, const QRectF& box, const QString& text) {
  painter.setPen(QPen(theme()[Tone::Control], 1));
  painter.setBrush(theme()[Tone::Base]);
  painter.drawRoundedRect(box, 3, 3);
  paintIcon(painter, "pin", QRectF(box.left() + 6, box.center().y() - 6, 12, 12),
            theme()[Tone::Text]);
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(box.adjusted(24, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void paintVerdictCell(QPainter& painter, const QRect& box, const QModelIndex& index) {
  const QString text = index.data().toString();
  if (text.isEmpty()) return;
  const QRectF chip(box.left() + kPad, box.center().y() - 9.5, box.width() - 2 * kPad - 18, 20);
  if (index.data(RunTableModel::IsBaselineRole).toBool()) {
    paintBaselineChip(painter, chip, text);
    return;
  }
  paintVerdict(painter, chip, verdictKind(index), text);
  const QRect again = measureBox(box, index);
  if (!again.isNull())
    paintIcon(painter, "compare", QRectF(again.left() + 4, again.center().y() - 6, 14, 14),
              theme()[Tone::Accent]);
}

}  // namespace

int leastCellWidth(const QModelIndex& index) {
  const QString text = index.data().toString();
  switch (static_cast<RunColumn::Kind>(index.data(RunTableModel::KindRole).toInt())) {
    case RunColumn::Kind::Rate: return widthOf(text, uiFont(13, true)) + kInterval + 2 * kPad;
    case RunColumn::Kind::Change: return widthOf("▲ " + text, uiFont(13, true)) + 2 * kPad;
    case RunColumn::Kind::Number:
      return widthOf(text, uiFont(13, true)) + 2 * kPad + 8 + static_cast<int>(kMark) + kIcon;
    default: return widthOf(text, uiFont(13)) + 3 * kPad;
  }
}

int wideInterval(const QModelIndex& index) {
  const QString detail = index.data(RunTableModel::DetailRole).toString();
  return std::max(0, widthOf(detail, uiFont(12)) + kGap - kInterval);
}

int wholeCellWidth(const QModelIndex& index) {
  const QString text = index.data().toString();
  if (text.isEmpty()) return 0;
  switch (static_cast<RunColumn::Kind>(index.data(RunTableModel::KindRole).toInt())) {
    case RunColumn::Kind::Tags: {
      double width = 2 * kPad;
      for (const QString& tag : index.data(RunTableModel::TagsRole).toStringList())
        width += tagWidth(tag) + kTagGap;
      return static_cast<int>(std::ceil(width));
    }
    case RunColumn::Kind::Verdict: return widthOf(text, uiFont(12)) + kAroundVerdict;
    default: return leastCellWidth(index);
  }
}

void paintLineMark(QPainter& painter, const QRectF& box, int series) {
  QPen pen(theme().series(series), 3);
  pen.setCapStyle(Qt::FlatCap);
  if (isDashed(series)) pen.setDashPattern({1.7, 1});
  painter.setPen(pen);
  painter.drawLine(QPointF(box.left(), box.center().y() + 0.5),
                   QPointF(box.right(), box.center().y() + 0.5));
}

void paintVerdict(QPainter& painter, const QRectF& box, VerdictKind kind, const QString& text) {
  const Theme& t = theme();
  struct VerdictStyle {
    const char* icon;
    Tone ground;
    Tone ink;
  };
  const auto style = [kind]() -> VerdictStyle {
    switch (kind) {
      case VerdictKind::Faster: return {"up", Tone::FasterSoft, Tone::Faster};
      case VerdictKind::Slower: return {"down", Tone::SlowerSoft, Tone::Slower};
      case VerdictKind::Same: return {"tilde", Tone::Hover, Tone::Text};
      default: return {"", Tone::Base, Tone::Text2};
    }
  }();
  const bool open = *style.icon == '\0';
  QPen frame(t[Tone::Control], 1);
  frame.setDashPattern({3, 2});
  painter.setPen(open ? frame : QPen(Qt::NoPen));
  painter.setBrush(t[style.ground]);
  painter.drawRoundedRect(box, 3, 3);
  if (!open)
    paintIcon(painter, style.icon, QRectF(box.left() + 6, box.center().y() - 6, 12, 12),
              t[style.ink]);
  const QFont font = uiFont(12, kind == VerdictKind::Faster || kind == VerdictKind::Slower);
  painter.setFont(font);
  painter.setPen(t[style.ink]);
  const QRectF words = box.adjusted(open ? 7 : 24, 0, -4, 0);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font).elidedText(text, Qt::ElideRight, words.width()));
}

void RunCellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing, false);
  paintGround(*painter, option, index);
  painter->setRenderHint(QPainter::Antialiasing);
  const QRect box = option.rect;
  switch (static_cast<RunColumn::Kind>(index.data(RunTableModel::KindRole).toInt())) {
    case RunColumn::Kind::Number: paintNumber(*painter, box, index); break;
    case RunColumn::Kind::Rate: paintRate(*painter, box, index, m_wideInterval); break;
    case RunColumn::Kind::Change: paintChange(*painter, box, index); break;
    case RunColumn::Kind::Tags: paintTags(*painter, box, index); break;
    case RunColumn::Kind::Verdict: paintVerdictCell(*painter, box, index); break;
    case RunColumn::Kind::Name:
      painter->setFont(uiFont(13));
      painter->setPen(theme()[Tone::Text]);
      // Names of related runs often differ only at their end, so the middle is left out.
      paintElided(*painter, box.adjusted(kPad, 0, -kPad, 0), Qt::AlignLeft, index.data().toString(),
                  Qt::ElideMiddle);
      break;
    default: {
      const bool number = index.data(RunTableModel::IsNumberRole).toBool();
      painter->setFont(uiFont(13));
      painter->setPen(theme()[Tone::Text]);
      paintElided(*painter, box.adjusted(kPad, 0, -kPad, 0),
                  number ? Qt::AlignRight : Qt::AlignLeft, index.data().toString());
    }
  }
  painter->restore();
}

bool RunCellDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                  const QStyleOptionViewItem& option, const QModelIndex& index) {
  const bool verdict = static_cast<RunColumn::Kind>(index.data(RunTableModel::KindRole).toInt()) ==
                       RunColumn::Kind::Verdict;
  if (verdict && event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() == Qt::LeftButton &&
        measureBox(option.rect, index).contains(mouse->position().toPoint())) {
      emit measureRequested(RunNumber{index.data(RunTableModel::NumberRole).toLongLong()});
      return true;
    }
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

bool RunCellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                                const QStyleOptionViewItem& option, const QModelIndex& index) {
  const bool verdict = static_cast<RunColumn::Kind>(index.data(RunTableModel::KindRole).toInt()) ==
                       RunColumn::Kind::Verdict;
  if (verdict && measureBox(option.rect, index).contains(event->pos())) {
    QToolTip::showText(event->globalPos(), "Measure both again", view);
    return true;
  }
  return QStyledItemDelegate::helpEvent(event, view, option, index);
}

}  // namespace millrace
