// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/field_undo.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace millrace {

bool FieldUndo::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  // The line edit of a number field passes its focus to the box around it.
  const auto* line = qobject_cast<QLineEdit*>(watched);
  if (line == nullptr && qobject_cast<QAbstractSpinBox*>(watched) != nullptr)
    line = watched->findChild<QLineEdit*>();
  if (line == nullptr) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool hasNothing = (key->matches(QKeySequence::Undo) && !line->isUndoAvailable()) ||
                          (key->matches(QKeySequence::Redo) && !line->isRedoAvailable());
  if (hasNothing) event->ignore();
  return hasNothing;
}

}  // namespace millrace
