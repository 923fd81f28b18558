// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/search_page.h"

#include <QAction>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>

#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/row_copy.h"
#include "widgets/common/strings.h"
#include "widgets/common/table_head.h"
#include "widgets/sweep/job_strip.h"

namespace millrace {

SearchPage::SearchPage(const QString& progress, QWidget* parent)
    : QWidget(parent),
      m_strip(new JobStrip(progress)),
      m_failed(new NoteStrip("error")),
      m_said(new NoteStrip("info")),
      m_finding(plainLabel()),
      m_runs(namedButton("runs", "Show its runs", "runs")),
      m_copy(namedButton("copy", "Copy as command", "copy")),
      m_table(new QTableView) {
  // Tabs request the size of the largest one among them.
  setMinimumSize(400, 200);
  m_finding->setWordWrap(true);
  m_finding->setTextFormat(Qt::RichText);
  m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
  connect(m_said->addButton("Close"), &QPushButton::clicked, m_said, &QFrame::hide);
  connect(m_strip, &JobStrip::stopRequested, this, &SearchPage::stopRequested);
  connect(m_runs, &QPushButton::clicked, this, &SearchPage::runsRequested);
  connect(m_copy, &QPushButton::clicked, this, &SearchPage::commandRequested);
}

void SearchPage::compose(QWidget* plot, QWidget* side, const Sizes& sizes) {
  auto* top = new QSplitter;
  top->addWidget(plot);
  top->addWidget(side);
  top->setStretchFactor(0, 1);
  top->setSizes({sizes.plot, sizes.side});
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(top);
  both->addWidget(m_table);
  both->setSizes({sizes.top, sizes.table});
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_strip);
  column->addWidget(m_failed);
  column->addWidget(m_said);
  column->addWidget(both, 1);
}

QWidget* SearchPage::sideOf(QWidget* findings, std::initializer_list<QPushButton*> takes,
                            QAction* exporting) {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 12, 12);
  auto* scroll = new QScrollArea;
  scroll->setWidget(findings);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  column->addWidget(scroll, 1);
  auto* buttons = new QGridLayout;
  buttons->setContentsMargins(14, 0, 0, 0);
  buttons->setSpacing(8);
  column->addLayout(buttons);
  QPushButton* const primary = *takes.begin();
  primary->setProperty("primary", true);
  primary->setIcon(icon("check", Tone::AccentText));
  auto* chart = namedButton("export", "Export chart…", "export");
  // Two in a row leave more room for the findings.
  int place = 0;
  const auto add = [&](QPushButton* button, int columns) {
    buttons->addWidget(button, place / 2, place % 2, 1, columns);
    place += columns;
  };
  for (QPushButton* button : takes) add(button, takes.size() == 1 ? 2 : 1);
  add(m_runs, 1);
  add(chart, 1);
  add(m_copy, 2);
  connect(chart, &QPushButton::clicked, exporting, &QAction::trigger);
  return side;
}

void SearchPage::fillTable(QAbstractItemModel* model, const QString& name,
                           const std::function<std::size_t(int)>& settingAt) {
  m_table->setModel(model);
  m_table->setAccessibleName(name);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  new RowCopy(*m_table);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  m_table->setWordWrap(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(28);
  m_table->horizontalHeader()->setHighlightSections(false);
  wrapTitles(*m_table->horizontalHeader());
  m_table->setStyleSheet("QTableView::item { padding: 0 8px; border: none; }");
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, settingAt](const QModelIndex& current) {
            if (current.isValid()) choose(settingAt(current.row()));
          });
  connect(m_table, &QTableView::activated, this, [this, settingAt](const QModelIndex& index) {
    if (index.isValid()) take(settingAt(index.row()));
  });
}

void SearchPage::showRow(int row) {
  if (row >= 0 && m_table->currentIndex().row() != row)
    m_table->setCurrentIndex(m_table->model()->index(row, 0));
}

void SearchPage::setTakeObstacle(const QString& sentence) {
  m_obstacle = sentence;
  refreshButtons();
}

void SearchPage::say(const QString& sentence) { m_said->say(sentence); }
QString SearchPage::words() const { return m_strip->words(); }
QString SearchPage::leftText() const { return m_strip->leftText(); }
QString SearchPage::findingText() const { return m_finding->text(); }
QString SearchPage::saidText() const { return m_said->words(); }

}  // namespace millrace
