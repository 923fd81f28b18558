// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QKeySequence>
#include <QObject>

class QAction;
class QSettings;
class QWidget;

namespace millrace {

/// The keys of a window's actions: those that it came with, and a person's own, kept in the
/// settings. Keys belong to one action at most. GUI thread.
class ShortcutBook : public QObject {
  Q_OBJECT
 public:
  /// Takes the actions of `window` that are named `action_...`, as they are now, and gives them the
  /// person's own keys. Both outlive the book.
  ShortcutBook(QWidget& window, QSettings& settings);

  struct Entry {
    QString name;  ///< without `action_`
    QString text;
    QList<QKeySequence> keys;
    QList<QKeySequence> original;
  };
  /// In the order of their texts.
  std::vector<Entry> entries() const;

  struct Conflict {
    QString sentence;    ///< empty: the keys are free
    bool final = false;  ///< they cannot be taken away from where they are
  };
  Conflict conflict(const QString& name, const QKeySequence& keys) const;
  /// The keys are this action's alone from now on: others lose them. Empty keys: none.
  /// Nothing happens where the conflict is final.
  void assign(const QString& name, const QKeySequence& keys);
  void reset(const QString& name);
  void resetAll();

 signals:
  void changed();

 private:
  struct Known {
    QAction* action;
    QList<QKeySequence> original;
  };
  const Known* find(const QString& name) const;
  void give(const Known& known, const QList<QKeySequence>& keys);
  void store(const Known& known);

  QSettings& m_settings;
  std::vector<Known> m_all;
};

/// An action's text without mnemonic and dots: "Save as".
QString plainText(const QAction& action);

}  // namespace millrace
