// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QKeySequence>
#include <QObject>

class QAction;
class QMenu;
class QSettings;
class QWidget;

namespace millrace {

/// The shortcuts of a window's actions: the defaults, and the user's changes, which are kept in the
/// settings. Keys belong to at most one action. GUI thread.
class ShortcutBook : public QObject {
  Q_OBJECT
 public:
  /// Registers the actions of `window` named `action_...` with their present keys as defaults, and
  /// applies the user's keys. Both arguments must outlive the book.
  ShortcutBook(QWidget& window, QSettings& settings);

  struct Entry {
    QString name;  ///< without the prefix `action_`
    QString text;  ///< understood without its menu: "Open example chess"
    QString menu;  ///< the menu of the window that has it: "File"
    QList<QKeySequence> keys;
    QList<QKeySequence> original;
  };
  /// In the order of the menus.
  std::vector<Entry> entries() const;

  struct Conflict {
    QString sentence;    ///< empty: the keys are free
    bool final = false;  ///< the keys cannot be reassigned
  };
  Conflict conflict(const QString& name, const QKeySequence& keys) const;
  /// Gives the keys to this action only; others lose them. Empty keys remove the action's. Does
  /// nothing if the conflict is final.
  void assign(const QString& name, const QKeySequence& keys);
  void reset(const QString& name);
  void resetAll();

 signals:
  void changed();

 private:
  struct Known {
    QAction* action;
    QList<QKeySequence> original;
    QString text;  ///< of Undo without the step's name
  };
  const Known* find(const QString& name) const;
  void give(const Known& known, const QList<QKeySequence>& keys);
  void store(const Known& known);

  void addMenu(const QMenu& menu, const QString& title, std::vector<Entry>& entries) const;

  QWidget& m_window;
  QSettings& m_settings;
  std::vector<Known> m_all;
};

/// "Ctrl+Shift+Z, Ctrl+Y".
QString shownKeys(const QList<QKeySequence>& keys);

/// An action's text without mnemonic and dots: "Save as".
QString plainText(const QAction& action);
/// The same, understood outside its menu: "Open example chess".
QString textAlone(const QAction& action);

}  // namespace millrace
