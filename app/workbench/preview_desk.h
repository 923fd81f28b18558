// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;

namespace millrace {

struct EditSession;
class PreviewPanel;
class RunDesk;

/// The preview, as part of the main window: its dock, and its pause while a run goes on. GUI
/// thread.
class PreviewDesk : public QObject {
  Q_OBJECT
 public:
  /// Both outlive the desk. The dock stands beside the one named "problems", which is there.
  PreviewDesk(QMainWindow& window, RunDesk& runs);

  void setSession(EditSession* session);
  PreviewPanel& panel() { return *m_panel; }
  /// Whether what is shown is still to change by itself.
  bool isAtWork() const;

 private:
  PreviewPanel* m_panel;
};

}  // namespace millrace
