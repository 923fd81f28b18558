// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/cheat_sheet.h"

#include <algorithm>

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include "app/workbench/dialogs/shortcut_book.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kColumns = 3;

CheatSheet::Group canvasKeys() {
  return {"Canvas",
          {{"Space", "Add a node at the cursor"},
           {"Arrows", "Go to the next node"},
           {"Ctrl+Arrows", "Move the selected nodes"},
           {"Enter", "Edit the selected node's settings"},
           {"Esc", "Cancel, or select nothing"},
           {"Wheel", "Scroll; with Shift sideways"},
           {"Ctrl+Wheel", "Zoom at the cursor"},
           {"Space and drag", "Pan, as with the middle button"},
           {"Ctrl+Enter", "End a comment; OK in every dialog"}}};
}

/// Keys that belong to a view and not to the menus of the window.
QList<CheatSheet::Group> viewKeys() {
  return {{"Charts",
           {{"Left, Right", "Move the cross-hair"},
            {"+, −", "Zoom at the cross-hair"},
            {"Wheel", "Zoom at the cursor; with Shift sideways"},
            {"Esc", "Show everything again"}}},
          {"A sample, enlarged",
           {{"Left, Right", "The sample before, the next one"},
            {"+, −", "Zoom"},
            {"F", "Show the whole picture"},
            {"B", "Show it before the node"},
            {"Ctrl+C", "Copy the picture"}}},
          {"Table of runs",
           {{"Enter", "Open the run"},
            {"F2", "Edit name, tags or notes"},
            {"P", "Pin on top"},
            {"Shift+B", "Make it the baseline"},
            {"Del", "Delete"},
            {"G", "Group by pipeline"},
            {"Ctrl+F", "Find runs"},
            {"Ctrl+R", "Read again"},
            {"Ctrl+Shift+C", "Copy as command"},
            {"Ctrl+E", "Export table"}}},
          {"Parallel axes of runs",
           {{"Left, Right", "Go to the next axis; with Shift move it"},
            {"F", "Flip the axis"},
            {"L", "Logarithmic axis"},
            {"Esc", "Select no range"}}},
          {"Trace",
           {{"Left, Right", "Move in time"},
            {"+, −", "Zoom"},
            {"F", "Show the whole repeat"},
            {"N, P", "Follow the next batch, the one before"},
            {"Enter", "Show the followed batch"},
            {"Esc", "Follow no batch"}}}};
}

QWidget* drawnGroup(const CheatSheet::Group& group) {
  auto* box = new QWidget;
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 12);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  auto* title = new QLabel(group.title);
  title->setFont(uiFont(15, true));
  grid->addWidget(title, 0, 0, 1, 2);
  int row = 1;
  for (const CheatSheet::Line& line : group.lines) {
    auto* keys = new QLabel(line.keys);
    keys->setFont(uiFont(12, true));
    grid->addWidget(keys, row, 0);
    grid->addWidget(new QLabel(line.text), row, 1);
    ++row;
  }
  return box;
}

}  // namespace

QList<CheatSheet::Group> CheatSheet::groupsOf(const ShortcutBook& book) {
  QList<Group> groups = {canvasKeys()};
  for (const ShortcutBook::Entry& entry : book.entries()) {
    if (entry.keys.isEmpty() || entry.keys.front().isEmpty()) continue;
    if (groups.back().title != entry.menu) groups.append({entry.menu, {}});
    groups.back().lines.append({shownKeys(entry.keys), entry.text});
  }
  return groups + viewKeys();
}

CheatSheet::CheatSheet(const ShortcutBook& book, QWidget& window)
    : QDialog(&window), m_groups(groupsOf(book)) {
  setWindowTitle("Keys at a glance");
  auto* content = new QWidget;
  auto* columns = new QHBoxLayout(content);
  columns->setContentsMargins(16, 14, 16, 8);
  columns->setSpacing(28);
  QList<QVBoxLayout*> stacks;
  QList<qsizetype> heights(kColumns, 0);
  for (int i = 0; i < kColumns; ++i) {
    stacks.append(new QVBoxLayout);
    columns->addLayout(stacks.back(), 1);
  }
  for (const Group& group : m_groups) {  // Each one goes to the shortest column.
    const auto least = std::ranges::min_element(heights) - heights.begin();
    stacks[least]->addWidget(drawnGroup(group));
    heights[least] += group.lines.size() + 2;
  }
  for (QVBoxLayout* stack : stacks) stack->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 12);
  all->addWidget(scroll, 1);
  buttons->setContentsMargins(12, 0, 12, 0);
  all->addWidget(buttons);
  const int wide = content->sizeHint().width() + 2 * scroll->frameWidth() +
                   style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  resize(std::min(wide, window.width() - 40), std::min(680, window.height() - 40));
}

}  // namespace millrace
