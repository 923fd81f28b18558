// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;

namespace millrace {

struct EditSession;
class PreviewPanel;
class RunController;

/// The preview in the main window: its dock, and its pause during a run. GUI thread.
class PreviewController : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive the controller. The dock is placed next to the one named "problems", which
  /// must exist.
  PreviewController(QMainWindow& window, RunController& runs);

  void setSession(EditSession* session);
  PreviewPanel& panel() { return *m_panel; }
  /// Whether the shown content is still going to change.
  bool isAtWork() const;

 private:
  PreviewPanel* m_panel;
};

}  // namespace millrace
