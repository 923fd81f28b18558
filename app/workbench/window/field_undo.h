// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace millrace {

/// An event filter for the application: if a field has nothing to undo, because its text was
/// accepted, it leaves Ctrl+Z and the like to the document. GUI thread.
class FieldUndo : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace millrace
