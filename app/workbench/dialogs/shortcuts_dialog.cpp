// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/shortcuts_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/search_rank.h"

namespace millrace {

ShortcutsDialog::ShortcutsDialog(ShortcutBook& book, QWidget* parent)
    : QDialog(parent),
      m_book(book),
      m_filter(new QLineEdit),
      m_tree(new QTreeWidget),
      m_keys(new QKeySequenceEdit),
      m_message(new QLabel),
      m_take(new QPushButton("&Reassign")),
      m_none(new QPushButton("&None")),
      m_default(new QPushButton("&Default")) {
  setWindowTitle("Shortcuts");
  resize(560, 560);
  m_filter->setPlaceholderText("Find an action or keys");
  m_filter->setClearButtonEnabled(true);
  m_filter->addAction(icon("search", Tone::Hint), QLineEdit::LeadingPosition);
  m_tree->setHeaderLabels({"Action", "Keys"});
  m_tree->setRootIsDecorated(false);
  m_tree->setIndentation(12);
  m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->resizeSection(1, 190);
  m_tree->setAccessibleName("Actions and their keys");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  column->addWidget(m_filter);
  column->addWidget(m_tree, 1);
  buildBelow();
  connect(m_filter, &QLineEdit::textChanged, this, &ShortcutsDialog::refill);
  connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::showChosen);
  connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsDialog::tried);
  connect(&m_book, &ShortcutBook::changed, this, &ShortcutsDialog::refill);
  refill();
}

void ShortcutsDialog::buildBelow() {
  m_message->setProperty("role", "second");
  m_message->setWordWrap(true);
  m_keys->setAccessibleName("New keys");
  auto* all = new QPushButton("&All defaults");
  auto* close = new QPushButton("Close");
  for (QPushButton* button : {m_take, m_none, m_default, all, close}) button->setAutoDefault(false);
  auto* fields = new QHBoxLayout;
  fields->addWidget(new QLabel("New keys"));
  fields->addWidget(m_keys, 1);
  for (QPushButton* button : {m_take, m_none, m_default}) fields->addWidget(button);
  auto* foot = new QHBoxLayout;
  foot->addWidget(all);
  foot->addStretch();
  foot->addWidget(close);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->addLayout(fields);
  column->addWidget(m_message);
  column->addLayout(foot);
  connect(m_take, &QPushButton::clicked, this,
          [this] { m_book.assign(chosen(), m_keys->keySequence()); });
  connect(m_none, &QPushButton::clicked, this, [this] { m_book.assign(chosen(), {}); });
  connect(m_default, &QPushButton::clicked, this, [this] { m_book.reset(chosen()); });
  connect(all, &QPushButton::clicked, &m_book, &ShortcutBook::resetAll);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

void ShortcutsDialog::refill() {
  const QString before = chosen();
  {
    const QSignalBlocker silent(m_tree);
    m_tree->clear();
    QTreeWidgetItem* menu = nullptr;
    for (const ShortcutBook::Entry& entry : m_book.entries()) {
      const QString line = entry.text + '\t' + shownKeys(entry.keys);
      if (searchRank(m_filter->text(), {line}) == SearchRank::None) continue;
      if (menu == nullptr || menu->text(0) != entry.menu) menu = addMenu(entry.menu);
      auto* item = new QTreeWidgetItem(menu, line.split('\t'));
      item->setData(0, Qt::UserRole, entry.name);
      QFont font = item->font(1);
      font.setBold(entry.keys != entry.original);
      item->setFont(1, font);
    }
  }
  choose(before);
  showChosen();
}

QTreeWidgetItem* ShortcutsDialog::addMenu(const QString& title) {
  auto* item = new QTreeWidgetItem(m_tree, {title});
  item->setFlags(Qt::ItemIsEnabled);
  QFont font = item->font(0);
  font.setBold(true);
  item->setFont(0, font);
  item->setExpanded(true);
  return item;
}

void ShortcutsDialog::choose(const QString& name) {
  for (QTreeWidgetItemIterator at(m_tree, QTreeWidgetItemIterator::NoChildren); *at != nullptr;
       ++at)
    if ((*at)->data(0, Qt::UserRole).toString() == name) m_tree->setCurrentItem(*at);
}

QString ShortcutsDialog::chosen() const {
  const QTreeWidgetItem* item = m_tree->currentItem();
  return item == nullptr ? QString() : item->data(0, Qt::UserRole).toString();
}

void ShortcutsDialog::showChosen() {
  const QString name = chosen();
  for (QWidget* widget : {static_cast<QWidget*>(m_keys), static_cast<QWidget*>(m_none),
                          static_cast<QWidget*>(m_default)})
    widget->setEnabled(!name.isEmpty());
  m_take->hide();
  m_message->setText(name.isEmpty() ? "Select an action, then press its new keys."
                                    : "Click into the field and press the new keys.");
  const QSignalBlocker silent(m_keys);
  m_keys->clear();
  for (const ShortcutBook::Entry& entry : m_book.entries())
    if (entry.name == name && !entry.keys.isEmpty()) m_keys->setKeySequence(entry.keys.front());
}

void ShortcutsDialog::tried(const QKeySequence& keys) {
  if (chosen().isEmpty() || keys.isEmpty()) return;
  // Shortcuts are single chords, but the field would wait for more.
  const QKeySequence first(keys[0]);
  if (keys.count() > 1) {
    const QSignalBlocker silent(m_keys);
    m_keys->setKeySequence(first);
  }
  const ShortcutBook::Conflict conflict = m_book.conflict(chosen(), first);
  if (conflict.sentence.isEmpty()) {
    m_book.assign(chosen(), first);
    m_message->setText("The shortcut was changed and saved.");
    return;
  }
  m_take->setVisible(!conflict.final);
  m_message->setText(
      conflict.sentence +
      (conflict.final ? " Press other keys."
                      : " Press other keys, or reassign these; the other action then has none."));
}

QString ShortcutsDialog::message() const { return m_message->text(); }

}  // namespace millrace
