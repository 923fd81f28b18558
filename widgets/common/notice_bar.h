// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

#include <QFrame>
#include <QList>

class QVBoxLayout;

namespace millrace {

/// Something that happened outside and waits for an answer, without being in the way.
struct Notice {
  QString sentence;
  /// Buttons, the first of them the likely one.
  QList<std::pair<QString, std::function<void()>>> answers;
};

/// Notices above the canvas, one a line. A tool bar that holds it is hidden while there are none: a
/// widget that hides itself there is disabled by its tool bar for good (Qt 6.4). GUI thread.
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
