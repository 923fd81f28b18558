// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/spec/catalog.h"

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace millrace {

class ShortcutBook;

/// The pages of resources/help/views, one with all shortcuts, and one for each node kind, made from
/// its description. Does not block the window. GUI thread.
class HelpWindow : public QDialog {
  Q_OBJECT
 public:
  /// Both must outlive the window.
  HelpWindow(const Catalog& catalog, const ShortcutBook& shortcuts, QWidget* parent);

  /// Shows a kind's page, or "view:sweep"; for an unknown or empty name, the first page.
  void showPage(const QString& kind);
  QString shownText() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fillList();
  void filter(const QString& text);
  void chooseFirst();
  void showCurrent();
  QString shortcutsPage() const;

  const Catalog& m_catalog;
  const ShortcutBook& m_shortcuts;
  QLineEdit* m_filter;
  QListWidget* m_list;
  QTextBrowser* m_page;
};

}  // namespace millrace
