// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/data_choice.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kWidth = 620;
constexpr int kListHeight = 400;

}  // namespace

DataChoice::DataChoice(const QString& folder, const FolderContent& content, QWidget* parent)
    : QDialog(parent), m_list(new QListWidget) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(folder);
  resize(kWidth, kListHeight);
  auto* words = new QLabel(toQt(content.description).remove('`'));
  words->setWordWrap(true);
  m_list->setWordWrap(true);
  m_list->setAccessibleName("Data sets");
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const QDir from(folder);
  for (const DataBelow& each : content.below) {
    const QString path = fileText(each.path);
    auto* item = new QListWidgetItem(from.relativeFilePath(path) + ": " + toQt(each.kind) + '\n' +
                                         toQt(each.description).remove('`'),
                                     m_list);
    item->setData(Qt::UserRole, path);
  }
  m_list->setCurrentRow(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(m_list, &QListWidget::itemActivated, this, &DataChoice::accept);
  connect(buttons, &QDialogButtonBox::accepted, this, &DataChoice::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(10);
  column->addWidget(words);
  column->addWidget(m_list, 1);
  column->addWidget(buttons);
}

void DataChoice::accept() {
  if (const QListWidgetItem* item = m_list->currentItem())
    emit chosen(item->data(Qt::UserRole).toString());
  QDialog::accept();
}

}  // namespace millrace
