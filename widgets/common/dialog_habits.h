// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace millrace {

/// An event filter of the application for what every dialog does.
///
/// Keys that are understood whatever has the focus: Esc closes a dialog also from a number field,
/// Ctrl+Enter presses its default button also from a text, and Enter presses a button outside
/// dialogs, as Space does. A dialog is shown in the middle of its window, at the same place each
/// time: Qt places its content at first and its frame later, which is lower by the title. It is at
/// most as large as the screen. GUI thread.
class DialogHabits : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static bool take(QWidget& focus, const QKeyEvent& key);
};

}  // namespace millrace
