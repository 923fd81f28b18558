// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/shortcut_book.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QWidget>

namespace millrace {

namespace {

constexpr const char* kPrefix = "action_";

QString nameOf(const QAction& action) {
  return action.objectName().mid(static_cast<qsizetype>(qstrlen(kPrefix)));
}

QString shownFirst(const QList<QKeySequence>& keys) {
  return keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText);
}

/// Qt parses an empty text as one empty sequence.
QList<QKeySequence> keysOf(const QString& text) {
  return text.isEmpty() ? QList<QKeySequence>() : QKeySequence::listFromString(text);
}

bool overlap(const QKeySequence& a, const QKeySequence& b) {
  if (a.isEmpty() || b.isEmpty()) return false;  // For Qt, an empty sequence matches everything.
  return a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch;
}

/// Why the canvas or the lists need these keys themselves; empty if they are free.
QString ownerByNature(const QKeySequence& keys) {
  if (keys.isEmpty() || keys[0].keyboardModifiers() != Qt::NoModifier) return {};
  switch (keys[0].key()) {
    case Qt::Key_Space: return "used by the canvas to add a node and to pan";
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return "used to go from node to node";
    case Qt::Key_Tab:
    case Qt::Key_Backtab: return "used to go from field to field";
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape: return "used to accept and to cancel";
    default: return {};
  }
}

}  // namespace

QString plainText(const QAction& action) {
  // "Nodes && wires" contains a literal ampersand.
  static const QRegularExpression mnemonic("&(.)");
  return action.text().replace(mnemonic, "\\1").remove("…");
}

QString textAlone(const QAction& action) {
  const QString alone = action.property("alone").toString();
  return alone.isEmpty() ? plainText(action) : alone;
}

QString shownKeys(const QList<QKeySequence>& keys) {
  return QKeySequence::listToString(keys, QKeySequence::NativeText).replace("; ", ", ");
}

ShortcutBook::ShortcutBook(QWidget& window, QSettings& settings)
    : QObject(&window), m_window(window), m_settings(settings) {
  for (QAction* action : window.findChildren<QAction*>())
    if (action->objectName().startsWith(kPrefix))
      m_all.push_back({action, action->shortcuts(), textAlone(*action).trimmed()});
  for (const Known& known : m_all) {
    const QString key = "shortcuts/" + nameOf(*known.action);
    if (m_settings.contains(key)) give(known, keysOf(m_settings.value(key).toString()));
  }
}

const ShortcutBook::Known* ShortcutBook::find(const QString& name) const {
  const auto at = std::ranges::find_if(
      m_all, [&](const Known& known) { return nameOf(*known.action) == name; });
  return at == m_all.end() ? nullptr : &*at;
}

std::vector<ShortcutBook::Entry> ShortcutBook::entries() const {
  std::vector<Entry> entries;
  if (const auto* bar = m_window.findChild<QMenuBar*>())
    for (const QAction* top : bar->actions())
      if (top->menu() != nullptr) addMenu(*top->menu(), plainText(*top), entries);
  return entries;
}

void ShortcutBook::addMenu(const QMenu& menu, const QString& title,
                           std::vector<Entry>& entries) const {
  for (const QAction* action : menu.actions()) {
    if (action->menu() != nullptr) addMenu(*action->menu(), title, entries);
    const auto known = std::ranges::find(m_all, action, &Known::action);
    // Some actions are in two menus.
    if (known != m_all.end() &&
        std::ranges::find(entries, nameOf(*action), &Entry::name) == entries.end())
      entries.push_back(
          {nameOf(*action), known->text, title, action->shortcuts(), known->original});
  }
}

ShortcutBook::Conflict ShortcutBook::conflict(const QString& name, const QKeySequence& keys) const {
  if (keys.isEmpty()) return {};
  const QString shown = keys.toString(QKeySequence::NativeText);
  if (const QString nature = ownerByNature(keys); !nature.isEmpty())
    return {shown + " is " + nature + '.', true};
  for (const Known& known : m_all) {
    if (nameOf(*known.action) == name) continue;
    for (const QKeySequence& taken : known.action->shortcuts())
      if (overlap(taken, keys))
        return {QString("%1 is already used by “%2”.").arg(shown, known.text), false};
  }
  return {};
}

void ShortcutBook::assign(const QString& name, const QKeySequence& keys) {
  const Known* known = find(name);
  if (known == nullptr || conflict(name, keys).final) return;
  for (const Known& other : m_all) {
    QList<QKeySequence> left = other.action->shortcuts();
    const auto taken = left.removeIf([&](const QKeySequence& one) { return overlap(one, keys); });
    if (&other == known || taken == 0) continue;
    give(other, left);
    store(other);
  }
  give(*known, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
  store(*known);
  emit changed();
}

void ShortcutBook::reset(const QString& name) {
  const Known* known = find(name);
  if (known == nullptr) return;
  // The present owner loses the keys, so that no two actions share them.
  const QList<QKeySequence> original = known->original;
  assign(name, original.value(0));
  give(*known, original);
  store(*known);
  emit changed();
}

void ShortcutBook::resetAll() {
  for (const Known& known : m_all) {
    give(known, known.original);
    store(known);
  }
  emit changed();
}

void ShortcutBook::give(const Known& known, const QList<QKeySequence>& keys) {
  QAction& action = *known.action;
  const QString before = shownFirst(action.shortcuts());
  action.setShortcuts(keys);
  QString tip = action.toolTip();
  if (!before.isEmpty()) tip.remove(" (" + before + ')');
  if (!keys.isEmpty()) tip += " (" + shownFirst(keys) + ')';
  action.setToolTip(tip);
}

void ShortcutBook::store(const Known& known) {
  const QString key = "shortcuts/" + nameOf(*known.action);
  if (known.action->shortcuts() == known.original)
    m_settings.remove(key);
  else
    m_settings.setValue(key, QKeySequence::listToString(known.action->shortcuts()));
}

}  // namespace millrace
