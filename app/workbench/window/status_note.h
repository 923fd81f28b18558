// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace millrace {

/// A text in the status line after a small icon. GUI thread.
class StatusNote : public QLabel {
  Q_OBJECT
 public:
  /// `icon`: a name of resources/icons; empty: none.
  explicit StatusNote(const QString& icon = {}, QWidget* parent = nullptr);

  void setIcon(const QString& icon);
  /// A click emits `opened`; the tooltip says what that does. Empty: it does not.
  void setOpens(const QString& tip);

 signals:
  void opened();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_icon;
  bool m_opens = false;
};

}  // namespace millrace
