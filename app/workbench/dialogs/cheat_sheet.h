// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace millrace {

class ShortcutBook;

/// All keys at a glance: those of the window's menus, with the user's changes, by menu, and those
/// of the canvas and other views.
class CheatSheet : public QDialog {
  Q_OBJECT
 public:
  CheatSheet(const ShortcutBook& book, QWidget& window);

  struct Line {
    QString keys;
    QString text;
  };
  struct Group {
    QString title;
    QList<Line> lines;
  };
  static QList<Group> groupsOf(const ShortcutBook& book);
  const QList<Group>& groups() const { return m_groups; }

 private:
  QList<Group> m_groups;
};

}  // namespace millrace
