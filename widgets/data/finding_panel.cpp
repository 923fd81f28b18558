// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/finding_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableView>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/table_head.h"
#include "widgets/data/report_text.h"
#include "widgets/data/sample_list_model.h"
#include "widgets/data/sample_pictures.h"
#include "widgets/sweep/job_strip.h"

namespace millrace {

namespace {

int widthOf(SampleListModel::Column column) {
  switch (column) {
    case SampleListModel::Sample:
    case SampleListModel::Like: return 340;
    case SampleListModel::Reason: return 320;
    case SampleListModel::Set: return 110;
    default: return 120;
  }
}

}  // namespace

FindingPanel::FindingPanel(SamplePictures& pictures, QWidget* parent)
    : QWidget(parent),
      m_title(plainLabel()),
      m_meaning(plainLabel("second")),
      m_table(new QTableView),
      m_model(new SampleListModel(pictures, this)),
      m_copy(namedButton("copy_paths", "Copy paths", "copy")),
      m_save(namedButton("save_list", "Save the list…", "export")) {
  m_title->setFont(uiFont(15, true));
  m_meaning->setWordWrap(true);
  m_table->setModel(m_model);
  m_table->setAccessibleName("Samples");
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  m_table->setWordWrap(false);
  m_table->setTextElideMode(Qt::ElideMiddle);
  m_table->setIconSize(kPicture);
  m_table->verticalHeader()->hide();
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setStretchLastSection(true);
  wrapTitles(*m_table->horizontalHeader());
  m_table->setStyleSheet("QTableView::item { padding: 0 8px; border: none; }");
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(icon("copy"), "Copy paths", m_table);
  m_table->addAction(copy);
  m_table->installEventFilter(this);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(m_copy);
  row->addWidget(m_save);
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 10, 12, 12);
  column->setSpacing(6);
  column->addWidget(m_title);
  column->addWidget(m_meaning);
  column->addWidget(m_table, 1);
  column->addLayout(row);
  connect(copy, &QAction::triggered, this, &FindingPanel::copyPaths);
  connect(m_copy, &QPushButton::clicked, this, &FindingPanel::copyPaths);
  connect(m_save, &QPushButton::clicked, this, &FindingPanel::saveRequested);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &FindingPanel::refreshButtons);
}

void FindingPanel::prepare(const QString& title, const QString& meaning, bool mayBeSaved) {
  m_title->setText(title);
  m_meaning->setText(meaning);
  m_save->setVisible(mayBeSaved);
  QHeaderView& head = *m_table->horizontalHeader();
  for (int c = 0; c < m_model->columnCount(); ++c) {
    const auto column = m_model->columns()[static_cast<std::size_t>(c)];
    m_table->setColumnWidth(c, std::max(widthOf(column), leastTitleWidth(head, c)));
  }
  m_table->verticalHeader()->setDefaultSectionSize(m_model->hasPictures() ? kPicture.height() + 8
                                                                          : 28);
  if (m_model->rowCount() > 0) m_table->setCurrentIndex(m_model->index(0, 0));
  m_table->scrollToTop();
  refreshButtons();
}

void FindingPanel::showNone() {
  m_model->showNone();
  prepare({}, {}, false);
}

void FindingPanel::showFinding(const std::shared_ptr<const DataReport>& report, std::size_t index) {
  const ReportedFinding& finding = report->findings.at(index);
  m_model->showFinding(report, index);
  QString meaning = remedyOf(finding.finding);
  if (finding.samples.size() < finding.count)
    meaning += QString(" The first %1 are shown; a saved list has all.")
                   .arg(shownNumber(static_cast<std::int64_t>(finding.samples.size())));
  prepare(shownFinding(finding), meaning, true);
}

void FindingPanel::showSlowest(const std::shared_ptr<const DataReport>& report, std::size_t set) {
  m_model->showSlowest(report, set);
  const SetReport& of = report->sets.at(set);
  prepare(QString("The slowest %1 to decode")
              .arg(shownCount(static_cast<std::int64_t>(of.slowest.size()), "sample")),
          "Processor time of one thread for the whole picture. A crop or a smaller size can need "
          "less.",
          false);
}

void FindingPanel::setSaveObstacle(const QString& sentence) {
  m_saveObstacle = sentence;
  refreshButtons();
}

/// Ctrl+C copies paths, not the current cell, and not the nodes of the window's canvas.
bool FindingPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    return QWidget::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::KeyPress) copyPaths();
  return true;
}

void FindingPanel::copyPaths() {
  QStringList paths;
  QModelIndexList rows = m_table->selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  for (const QModelIndex& row : rows) paths << m_model->pathAt(row.row());
  if (paths.isEmpty()) return;
  QApplication::clipboard()->setText(paths.join('\n'));
  emit copied(static_cast<int>(paths.size()));
}

void FindingPanel::refreshButtons() {
  const bool any = m_table->selectionModel()->hasSelection();
  m_copy->setEnabled(any);
  m_copy->setToolTip(any ? "The paths of the selected samples, one on each line (Ctrl+C)"
                         : "Select samples first.");
  m_save->setEnabled(m_saveObstacle.isEmpty());
  m_save->setToolTip(m_saveObstacle.isEmpty() ? "Every sample of this list, as a table or as text"
                                              : m_saveObstacle);
}

QString FindingPanel::titleText() const { return m_title->text(); }
QString FindingPanel::meaningText() const { return m_meaning->text(); }

}  // namespace millrace
