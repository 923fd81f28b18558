// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/dialog_habits.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QWindow>

namespace millrace {

namespace {

/// The spin box that a widget is or belongs to.
bool isNumberField(const QWidget& widget) {
  return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget.parentWidget()) != nullptr;
}

bool pressDefault(const QDialog& dialog) {
  for (QPushButton* button : dialog.findChildren<QPushButton*>())
    if (button->isDefault() && button->isEnabled()) {
      button->click();
      return true;
    }
  return false;
}

/// A message box finds its size only later.
void place(QDialog& dialog) {
  const QWidget* parent =
      dialog.parentWidget() == nullptr ? nullptr : dialog.parentWidget()->window();
  if (parent == nullptr || parent->windowHandle() == nullptr ||
      dialog.testAttribute(Qt::WA_Moved) || qobject_cast<QMessageBox*>(&dialog) != nullptr)
    return;
  const QRect room =
      parent->screen()->availableGeometry().marginsRemoved(parent->windowHandle()->frameMargins());
  const QSize size = dialog.size().boundedTo(room.size().expandedTo(dialog.minimumSizeHint()));
  const QPoint first = parent->geometry().center() - QRect(QPoint(), size).center();
  const auto within = [](int at, int from, int to) { return std::max(from, std::min(at, to)); };
  dialog.setGeometry({{within(first.x(), room.left(), room.right() + 1 - size.width()),
                       within(first.y(), room.top(), room.bottom() + 1 - size.height())},
                      size});
}

}  // namespace

bool DialogHabits::eventFilter(QObject* watched, QEvent* event) {
  if (auto* dialog = qobject_cast<QDialog*>(watched)) {
    if (event->type() == QEvent::Hide) dialog->setAttribute(Qt::WA_Moved, false);
    if (event->type() == QEvent::Show && !event->spontaneous()) place(*dialog);
  }
  if (event->type() != QEvent::KeyPress) return false;
  auto* focus = qobject_cast<QWidget*>(watched);
  if (focus == nullptr || focus != QApplication::focusWidget()) return false;
  return take(*focus, *static_cast<QKeyEvent*>(event));
}

bool DialogHabits::take(QWidget& focus, const QKeyEvent& key) {
  auto* dialog = qobject_cast<QDialog*>(focus.window());
  const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (dialog != nullptr && key.key() == Qt::Key_Escape && isNumberField(focus)) {
    dialog->reject();
    return true;
  }
  if (dialog != nullptr && isEnter && key.modifiers() == Qt::ControlModifier) {
    // A field takes over its text when it loses the focus.
    focus.clearFocus();
    return pressDefault(*dialog);
  }
  auto* button = qobject_cast<QAbstractButton*>(&focus);
  if (dialog != nullptr || button == nullptr || !isEnter || !button->isEnabled()) return false;
  if (qobject_cast<QCheckBox*>(button) != nullptr) return false;
  button->click();
  return true;
}

}  // namespace millrace
