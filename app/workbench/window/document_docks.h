// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>

#include <QByteArray>
#include <QObject>
#include <QStringList>

class QDockWidget;
class QMainWindow;

namespace millrace {

/// All docks of documents together, in one of two layouts, for editing and for running, each of
/// which is remembered. They are hidden while anything else is in front, and in a small
/// window the docks of each side are stacked as tabs. One class does both, because the window may
/// be resized while they are hidden. GUI thread.
class DocumentDocks : public QObject {
  Q_OBJECT
 public:
  static constexpr int kLeastWidth = 1200;
  static constexpr int kLeastHeight = 640;

  enum class Work { Editing, Running };

  explicit DocumentDocks(QMainWindow& window);

  Work work() const { return m_work; }
  /// Shows the docks for this work as they were when it was left; `first` shows them the first
  /// time, and in a small window, whose layout is not kept.
  void setWork(Work work, const std::function<void()>& first);

  bool isFolded() const { return m_isFolded; }
  bool isAway() const { return m_isAway; }
  void putAway();
  /// Shows them as they were, adapted to the present window.
  void bringBack();
  /// The layout to keep for the next start: that of a large window with its docks. Empty: none.
  QByteArray layout(Work work) const;
  /// Applies such layouts, and shows the one for editing.
  void setLayouts(const QByteArray& editing, const QByteArray& running);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QList<QDockWidget*> docks() const;
  QStringList shown() const;
  bool isSmall() const;
  void follow();
  void sizeRestored();
  void keepCanvas();
  void fold(const QByteArray& wide, const QStringList& shown);
  void unfold(const QStringList& shown);
  void restore(const QByteArray& layout);

  QByteArray currentLayout() const;

  QMainWindow& m_window;
  Work m_work = Work::Editing;
  std::map<Work, QByteArray> m_layouts;  ///< of the work that is not going on
  bool m_isFolded = false;               ///< whether shown or hidden
  QByteArray m_wide;                     ///< the layout before folding
  /// The layout of the last session, until the window has its size: docks restored before have
  /// other heights and widths.
  QByteArray m_unsized;
  bool m_isAway = false;
  QByteArray m_kept;        ///< the layout before hiding
  QStringList m_keptShown;  ///< names of the docks shown then
};

}  // namespace millrace
