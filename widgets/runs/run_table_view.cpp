// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_table_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

#include "widgets/common/format.h"
#include "widgets/common/row_copy.h"
#include "widgets/common/table_head.h"
#include "widgets/runs/run_cell_delegate.h"
#include "widgets/runs/run_table_model.h"

namespace millrace {

namespace {

constexpr int kRowHeight = 28;
constexpr int kWidest = 320;
constexpr int kWidestTitle = 240;
constexpr int kUsualName = 240;  ///< which a name keeps as long as others have room to give up
constexpr int kSampled = 40;     ///< rows that determine the widths

/// The width to which a column of text may shrink if not all columns fit.
int leastFor(const RunColumn& column) {
  switch (column.kind) {
    case RunColumn::Kind::Name:
    case RunColumn::Kind::Notes: return 110;
    case RunColumn::Kind::Tags: return 64;
    case RunColumn::Kind::State: return 104;  // "interrupted"
    case RunColumn::Kind::Verdict: return 150;
    default: return 80;
  }
}

/// Whether a column shows figures, of which nothing may be cut.
bool isFigure(const RunColumn& column) {
  return column.isNumber || column.kind == RunColumn::Kind::Number ||
         column.kind == RunColumn::Kind::Rate || column.kind == RunColumn::Kind::Change;
}

/// Whether a column is empty for lack of a baseline, or because no pipeline ends in a step. It then
/// leaves its room to the others.
bool isWithoutContent(const RunListing& listing, std::size_t column) {
  const RunColumn& shown = listing.columns[column];
  if (shown.kind == RunColumn::Kind::Change || shown.kind == RunColumn::Kind::Verdict)
    return !listing.baseline;
  const auto isEmpty = [column](const RunSummary& run) {
    return column < run.cells.size() && std::holds_alternative<std::monostate>(run.cells[column]);
  };
  const bool isAllRead = listing.count <= static_cast<std::int64_t>(listing.first.size());
  return shown.id == "step_share" && isAllRead && std::ranges::all_of(listing.top, isEmpty) &&
         std::ranges::all_of(listing.first, isEmpty);
}

}  // namespace

RunTableView::RunTableView(RunTableModel& model, QWidget* parent)
    : QTableView(parent), m_model(model), m_delegate(new RunCellDelegate(this)) {
  setModel(&model);
  setItemDelegate(m_delegate);
  connect(m_delegate, &RunCellDelegate::measureRequested, this, &RunTableView::measureRequested);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  new RowCopy(*this);
  setEditTriggers(EditKeyPressed);
  setShowGrid(false);
  setWordWrap(false);
  setMouseTracking(true);
  setAlternatingRowColors(false);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollMode(ScrollPerPixel);
  setAccessibleName("Runs");
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(kRowHeight);
  QHeaderView* head = horizontalHeader();
  head->setSectionsMovable(true);
  head->setSortIndicatorShown(true);
  head->setSortIndicatorClearable(true);
  head->setHighlightSections(false);
  wrapTitles(*head);
  head->setSortIndicator(-1, Qt::DescendingOrder);
  connect(head, &QHeaderView::sortIndicatorChanged, this,
          [this](int column, Qt::SortOrder order) { m_model.sort(column, order); });
  connect(head, &QHeaderView::sectionResized, this, [this](int column, int, int now) {
    if (m_sharing) return;
    m_widths.choose(placeOf(column), now);
    emit widthsChosen(m_widths.chosen());
  });
  // QTableView has changed the width before this, which counts as the user's.
  connect(head, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
    m_widths.forget(placeOf(column));
    shareRoom();
    emit widthsChosen(m_widths.chosen());
  });
  setSortingEnabled(false);
  head->setSectionsClickable(true);
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunTableView::keepPlace);
  connect(&model, &QAbstractItemModel::modelReset, this, &RunTableView::restorePlace);
  // Verdicts come later than their rows.
  m_fit.setSingleShot(true);
  m_fit.setInterval(0);
  connect(&m_fit, &QTimer::timeout, this, &RunTableView::fitColumns);
  connect(&model, &QAbstractItemModel::dataChanged, &m_fit, qOverload<>(&QTimer::start));
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (const RunSummary* run = m_model.runAt(index.row())) emit openRequested(run->number);
  });
}

std::optional<RunNumber> RunTableView::current() const {
  const RunSummary* run = m_model.runAt(currentIndex().row());
  return run == nullptr ? std::nullopt : std::optional(run->number);
}

void RunTableView::keepPlace() {
  m_restoring = true;
  m_current = current();
  m_scroll = verticalScrollBar()->value();
}

void RunTableView::restorePlace() {
  fitColumns();
  const RunListRequest& request = m_model.listRequest();
  int sorted = -1;
  for (int i = 0; i < m_model.columnCount(); ++i)
    if (m_model.listing().columns[static_cast<std::size_t>(i)].id == request.sortedBy) sorted = i;
  {
    const QSignalBlocker quiet(horizontalHeader());
    horizontalHeader()->setSortIndicator(
        sorted, request.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
  }
  QItemSelection selection;
  for (const RunNumber run : m_chosen)
    if (const int row = m_model.rowOf(run); row >= 0)
      selection.select(m_model.index(row, 0), m_model.index(row, m_model.columnCount() - 1));
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (m_current)
    if (const int row = m_model.rowOf(*m_current); row >= 0)
      selectionModel()->setCurrentIndex(m_model.index(row, 0), QItemSelectionModel::NoUpdate);
  verticalScrollBar()->setValue(m_scroll);
  m_restoring = false;
  noteChosen();
}

void RunTableView::selectionChanged(const QItemSelection& selected,
                                    const QItemSelection& deselected) {
  QTableView::selectionChanged(selected, deselected);
  if (!m_restoring) noteChosen();
}

void RunTableView::noteChosen() {
  std::vector<RunNumber> now;
  for (const QModelIndex& index : selectionModel()->selectedRows())
    if (const RunSummary* run = m_model.runAt(index.row())) now.push_back(run->number);
  std::vector<RunNumber> ordered;
  for (const RunNumber run : m_chosen)
    if (std::ranges::find(now, run) != now.end()) ordered.push_back(run);
  for (const RunNumber run : now)
    if (std::ranges::find(ordered, run) == ordered.end()) ordered.push_back(run);
  if (const auto& baseline = m_model.listing().baseline)
    if (const auto at = std::ranges::find(ordered, baseline->number); at != ordered.end())
      std::rotate(ordered.begin(), at, at + 1);
  if (ordered == m_chosen) return;
  m_chosen = ordered;
  emit chosenChanged();
}

void RunTableView::choose(const std::vector<RunNumber>& runs) {
  QItemSelection selection;
  int first = -1;
  for (const RunNumber run : runs) {
    const int row = m_model.rowOf(run);
    if (row < 0) continue;
    if (first < 0) first = row;
    selection.select(m_model.index(row, 0), m_model.index(row, m_model.columnCount() - 1));
  }
  // Listeners of the selection must find the focus already set.
  if (first >= 0)
    selectionModel()->setCurrentIndex(m_model.index(first, 0), QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (first >= 0) scrollTo(m_model.index(first, 0));
}

void RunTableView::fitColumns() {
  const QHeaderView& head = *horizontalHeader();
  std::vector<RunColumnWidths::Column> columns;
  m_fitted.clear();
  // Hiding a column is no choice of a width.
  m_sharing = true;
  for (int i = 0; i < m_model.columnCount(); ++i) {
    const RunColumn& column = m_model.listing().columns[static_cast<std::size_t>(i)];
    setColumnHidden(i, isWithoutContent(m_model.listing(), static_cast<std::size_t>(i)));
    if (isColumnHidden(i)) continue;
    m_fitted.push_back(i);
    int cells = 0;
    int interval = 0;
    for (int row = 0; row < std::min(kSampled, m_model.rowCount()); ++row) {
      const QModelIndex cell = m_model.index(row, i);
      cells = std::max(cells, wholeCellWidth(cell));
      if (column.kind == RunColumn::Kind::Rate) interval = std::max(interval, wideInterval(cell));
    }
    cells += interval;
    if (column.kind == RunColumn::Kind::Rate) m_delegate->setWideInterval(interval);
    QString oneLine = column.title;
    oneLine.replace(' ', kNoBreak);
    // A long title is on two lines, so that a column of small figures stays narrow.
    const int title = std::min(leastTitleWidth(head, oneLine), kWidestTitle);
    const int wrapped = leastTitleWidth(head, column.title);
    const bool isName = column.kind == RunColumn::Kind::Name;
    const bool isPipeline = column.id == "pipeline";
    const int least = isFigure(column) ? cells : std::min(cells, leastFor(column));
    columns.push_back(
        {.id = column.id,
         .natural = std::min(std::max(title, cells), kWidest),
         .usual = std::max(wrapped, isName || isPipeline ? std::min(cells, kUsualName) : least),
         .least = std::max(wrapped, least),
         .takesRest = isName,
         .givesLast = isPipeline});
  }
  m_sharing = false;
  m_widths.setColumns(std::move(columns));
  shareRoom();
}

/// Its place among the columns that are shown.
std::size_t RunTableView::placeOf(int column) const {
  return static_cast<std::size_t>(std::ranges::find(m_fitted, column) - m_fitted.begin());
}

void RunTableView::shareRoom() {
  if (m_widths.count() != m_fitted.size()) return;
  const std::vector<int> widths = m_widths.in(viewport()->width());
  m_sharing = true;
  for (std::size_t i = 0; i < widths.size(); ++i) setColumnWidth(m_fitted[i], widths[i]);
  m_sharing = false;
}

void RunTableView::setChosenWidths(const QVariantMap& widths) {
  m_widths.setChosen(widths);
  shareRoom();
}

void RunTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) shareRoom();
}

void RunTableView::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && !isEditing() && current()) {
    emit openRequested(*current());
    return;
  }
  if (event->key() == Qt::Key_F2 && !isEditing()) {
    editLabel();
    return;
  }
  QTableView::keyPressEvent(event);
}

QModelIndex RunTableView::labelToEdit() const {
  const auto focused = current();
  const bool isChosen = focused && std::ranges::find(m_chosen, *focused) != m_chosen.end();
  const int row =
      isChosen || m_chosen.empty() ? currentIndex().row() : m_model.rowOf(m_chosen.front());
  QList<int> columns = {currentIndex().column()};
  for (const RunColumn::Kind kind :
       {RunColumn::Kind::Name, RunColumn::Kind::Tags, RunColumn::Kind::Notes})
    columns << m_model.columnOf(kind);
  for (const int column : columns) {
    const QModelIndex index = m_model.index(row, column);
    if (index.flags() & Qt::ItemIsEditable) return index;
  }
  return {};
}

bool RunTableView::editLabel() {
  const QModelIndex index = labelToEdit();
  if (!index.isValid()) return false;
  setFocus();
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
  scrollTo(index);
  edit(index);
  return true;
}

}  // namespace millrace
