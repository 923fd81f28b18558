// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/workbench/dialogs/shortcut_book.h"

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace millrace {

/// All actions with their keys, by menu. The user selects one and presses the new keys. Free keys
/// are assigned at once; otherwise the dialog names the present owner and offers to reassign them.
/// GUI thread.
class ShortcutsDialog : public QDialog {
  Q_OBJECT
 public:
  /// `book` must outlive the dialog.
  explicit ShortcutsDialog(ShortcutBook& book, QWidget* parent = nullptr);

  void choose(const QString& name);
  QKeySequenceEdit& keys() { return *m_keys; }
  QPushButton& takeButton() { return *m_take; }
  QString message() const;

 private:
  void buildBelow();
  void refill();
  QTreeWidgetItem* addMenu(const QString& title);
  QString chosen() const;
  void showChosen();
  void tried(const QKeySequence& keys);

  ShortcutBook& m_book;
  QLineEdit* m_filter;
  QTreeWidget* m_tree;
  QKeySequenceEdit* m_keys;
  QLabel* m_message;
  QPushButton* m_take;
  QPushButton* m_none;
  QPushButton* m_default;
};

}  // namespace millrace
