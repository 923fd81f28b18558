// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

#include <QFrame>
#include <QList>

class QVBoxLayout;

namespace millrace {

/// Something that happened outside the program and needs an answer, shown without blocking.
struct Notice {
  QString sentence;
  /// Buttons; the first is the most likely choice.
  QList<std::pair<QString, std::function<void()>>> answers;
};

/// Notices above the canvas, one in each line. The tool bar that holds this widget is hidden while
/// there are none: a widget that hides itself inside a tool bar is disabled by it permanently (Qt
/// 6.4). GUI thread.
class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);

  void show(const QList<Notice>& notices);
  const QList<Notice>& notices() const { return m_notices; }

 private:
  QWidget* line(const Notice& notice);

  QVBoxLayout* m_column;
  QList<Notice> m_notices;
};

}  // namespace millrace
