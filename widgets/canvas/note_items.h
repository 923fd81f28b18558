// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "widgets/models/notes.h"

namespace millrace {

// Comments and groups in the scene. Like the other items they only draw.

/// Size of a comment's box for its text.
QSizeF commentSize(const QString& text);
/// The dotted frame around a group's nodes; the title is in the frame's head.
inline constexpr double kGroupHead = 28;
inline constexpr double kGroupPad = 16;

class CommentItem final : public QGraphicsItem {
 public:
  void show(const Comment& comment);
  void setSelected(bool selected);
  QRectF box() const { return m_box; }
  QRectF boundingRect() const override { return m_box.adjusted(-6, -6, 6, 6); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  QString m_text;
  QRectF m_box;
  bool m_selected = false;
};

class GroupItem final : public QGraphicsItem {
 public:
  /// `below`: the title is at the frame's lower edge, because something else is at the upper one.
  void show(const QString& title, const QRectF& frame, bool below);
  /// The group's time per sample in a run, such as "1.90 ms"; empty: none. `over`: greyed.
  void setRun(const QString& time, bool over);
  const QString& time() const { return m_time; }
  QRectF head() const {
    const double top = m_below ? m_frame.bottom() - kGroupHead : m_frame.top();
    return {m_frame.left(), top, m_frame.width(), kGroupHead};
  }
  QRectF boundingRect() const override { return m_frame.adjusted(-4, -4, 4, 4); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  QString m_title;
  QString m_time;
  QRectF m_frame;
  bool m_below = false;
  bool m_over = false;
};

}  // namespace millrace
