// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>

class QMainWindow;

namespace millrace {

/// In a small window the docks of each side share one place as tabs; in a larger one they stand
/// again as they did before. GUI thread.
class NarrowDocks : public QObject {
  Q_OBJECT
 public:
  static constexpr int kLeastWidth = 1200;
  static constexpr int kLeastHeight = 640;

  explicit NarrowDocks(QMainWindow& window);

  bool isNarrow() const { return m_narrow; }
  /// The layout to keep for the next start: that of the large window.
  QByteArray layout() const;
  /// The layout was set anew as for a large window.
  void refold();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  void fold();
  void unfold();

  QMainWindow& m_window;
  bool m_narrow = false;
  QByteArray m_wide;
};

}  // namespace millrace
