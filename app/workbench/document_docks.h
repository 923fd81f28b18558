// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

class QDockWidget;
class QMainWindow;

namespace millrace {

/// The docks of documents as a whole: away while anything else is in front, and in a small window
/// those of each side in one place as tabs. Both in one hand, since the window may grow or shrink
/// while they are away. GUI thread.
class DocumentDocks : public QObject {
  Q_OBJECT
 public:
  static constexpr int kLeastWidth = 1200;
  static constexpr int kLeastHeight = 640;

  explicit DocumentDocks(QMainWindow& window);

  bool isFolded() const { return m_isFolded; }
  bool isAway() const { return m_isAway; }
  void putAway();
  /// As they stood, in the window as it is now.
  void bringBack();
  /// The layout to keep for the next start: that of a large window, with the docks in it.
  QByteArray layout() const;
  /// Takes such a layout.
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
  bool m_isFolded = false;  ///< in place or away
  QByteArray m_wide;        ///< while they are folded: before
  bool m_isAway = false;
  QByteArray m_kept;        ///< while they are away: before
  QStringList m_keptShown;  ///< the names of those that were shown then
};

}  // namespace millrace
