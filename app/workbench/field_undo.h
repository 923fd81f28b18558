// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace millrace {

/// Filters the application's events: a field whose text was taken has nothing to undo, and leaves
/// Ctrl+Z and its like to the document. GUI thread.
class FieldUndo : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace millrace
