// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/target_table.h"

#include <algorithm>

#include <QHeaderView>

#include "widgets/common/strings.h"
#include "widgets/export/target_list.h"

namespace millrace {

namespace {

enum Column { kTarget, kRate, kLines, kLost, kColumns };

/// The beginning of a sentence, which says what differs; why follows a colon or a full stop.
QString titleOf(const std::string& sentences) {
  const QString text = toQt(sentences);
  qsizetype end = text.size();
  for (const char* sign : {": ", ". "})
    if (const qsizetype at = text.indexOf(sign); at >= 0) end = std::min(end, at);
  QString title = text.first(end);
  if (title.endsWith('.')) title.chop(1);
  return title;
}

QTableWidgetItem* cell(const QString& text, Qt::Alignment align = Qt::AlignLeft | Qt::AlignTop) {
  auto* item = new QTableWidgetItem(text);
  item->setTextAlignment(align);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  return item;
}

}  // namespace

QStringList lossTitles(const ExportedTarget& target) {
  if (!target.exported) return {target.refusal};
  QStringList titles;
  for (const std::string& node : target.exported->missing) titles << titleOf(node) + " is missing";
  for (const std::string& limit : target.exported->limits) titles << titleOf(limit);
  return titles;
}

TargetTable::TargetTable(QWidget* parent) : QTableWidget(parent) {
  setColumnCount(kColumns);
  setHorizontalHeaderLabels({"Target", "Rate here", "Lines", "What is lost"});
  horizontalHeaderItem(kLost)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeaderItem(kTarget)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(kLost, QHeaderView::Stretch);
  verticalHeader()->hide();
  setAccessibleName("Targets side by side");
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setVerticalScrollMode(ScrollPerPixel);
  setTabKeyNavigation(false);
  const auto choose = [this](int row) {
    if (!isVisible()) return;  // Some desktops report a click as both.
    emit targetChosen(item(row, kTarget)->data(Qt::UserRole).toString());
  };
  connect(this, &QTableWidget::cellClicked, this, choose);
  connect(this, &QTableWidget::cellActivated, this, choose);
}

void TargetTable::show(const ExportedTargets& targets) {
  setRowCount(static_cast<int>(targets.targets.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const ExportedTarget& target = targets.targets[static_cast<std::size_t>(row)];
    const std::string text = target.exported ? target.exported->text : std::string();
    auto* name = cell(toQt(target.exporter->label));
    name->setData(Qt::UserRole, toQt(target.exporter->name));
    setItem(row, kTarget, name);
    setItem(row, kRate, cell(rateText(target)));
    setItem(row, kLines,
            cell(text.empty() ? QString() : QString::number(std::ranges::count(text, '\n')),
                 Qt::AlignRight | Qt::AlignTop));
    const QStringList lost = lossTitles(target);
    setItem(row, kLost, cell(lost.isEmpty() ? QString("nothing") : lost.join("; ")));
  }
  resizeRowsToContents();
}

void TargetTable::resizeEvent(QResizeEvent* event) {
  QTableWidget::resizeEvent(event);
  resizeRowsToContents();
}

}  // namespace millrace
