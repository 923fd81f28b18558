// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

class QDockWidget;
class QMainWindow;

namespace millrace {

/// All docks of documents together. They are hidden while anything else is in front, and in a small
/// window the docks of each side are stacked as tabs. One class does both, because the window may
/// be resized while they are hidden. GUI thread.
class DocumentDocks : public QObject {
  Q_OBJECT
 public:
  static constexpr int kLeastWidth = 1200;
  static constexpr int kLeastHeight = 640;

  explicit DocumentDocks(QMainWindow& window);

  bool isFolded() const { return m_isFolded; }
  bool isAway() const { return m_isAway; }
  void putAway();
  /// Shows them as they were, adapted to the present window.
  void bringBack();
  /// The layout to keep for the next start: that of a large window with its docks.
  QByteArray layout() const;
  /// Applies such a layout.
  void setLayout(const QByteArray& layout);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QList<QDockWidget*> docks() const;
  QStringList shown() const;
  bool isSmall() const;
  void follow();
  void fold(const QByteArray& wide, const QStringList& shown);
  void unfold(const QStringList& shown);
  void restore(const QByteArray& layout);

  QMainWindow& m_window;
  bool m_isFolded = false;  ///< whether shown or hidden
  QByteArray m_wide;        ///< the layout before folding
  bool m_isAway = false;
  QByteArray m_kept;        ///< the layout before hiding
  QStringList m_keptShown;  ///< names of the docks shown then
};

}  // namespace millrace
