// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/runs_area.h"

#include <algorithm>
#include <utility>

#include <QDockWidget>
#include <QResizeEvent>
#include <QVBoxLayout>

#include "widgets/common/dock.h"
#include "widgets/compare/box_view.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/differences_panel.h"
#include "widgets/compare/graph_diff_view.h"
#include "widgets/compare/line_view.h"
#include "widgets/compare/measure_again.h"
#include "widgets/compare/parallel_view.h"
#include "widgets/compare/scatter_view.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

constexpr int kRoomForThree = 1000;  ///< docks next to each other, in a window of this width
constexpr int kPointsAfterMs = 150;

}  // namespace

RunsArea::RunsArea(StoreThread& store, const Catalog& catalog, QSettings& settings,
                   const QStringList& usualColumns)
    : QMainWindow(nullptr, Qt::Widget),
      m_settings(settings),
      m_store(store),
      m_compareStore(store.file()),
      m_page(new RunsPage(store, catalog, settings, usualColumns)),
      m_set(new CompareSet(m_compareStore, catalog, this)),
      m_differences(new DifferencesPanel(*m_set, MILLRACE_VERSION)),
      m_lines(new LineView(*m_set)),
      m_scatter(new ScatterView(*m_set)),
      m_boxes(new BoxView(*m_set)),
      m_parallel(new ParallelView(*m_set)),
      m_graph(new GraphDiffView(*m_set)),
      m_measure(new MeasureAgain(store, catalog)) {
  setObjectName("runs_area");
  // Tabs request the size of the largest one among them, whether in front or not: together with a
  // pipeline's docks the window would outgrow the screen.
  setMinimumSize(400, 200);
  setDockNestingEnabled(true);
  auto* middle = new QWidget;
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_measure);
  column->addWidget(m_page, 1);
  setCentralWidget(middle);
  buildDocks();
  connectParts();
  restoreState(m_settings.value("runs/layout").toByteArray());
  m_store.warm(this);
}

RunsArea::~RunsArea() {
  if (m_left.isEmpty()) leave();
  m_settings.setValue(layoutKey(), m_left);
  m_settings.setValue("runs/layout_size", m_leftSize);
}

QDockWidget* RunsArea::addDock(const QString& name, const QString& title, QWidget* view) {
  QDockWidget* dock = makeDock("runs_" + name, title, view);
  addDockWidget(Qt::BottomDockWidgetArea, dock);
  return dock;
}

void RunsArea::buildDocks() {
  // Short titles: three of them share a row of tabs.
  QDockWidget* differences = addDock("differences", "Differences", m_differences);
  QDockWidget* lines = addDock("lines", "Rate by time", m_lines);
  QDockWidget* boxes = addDock("boxes", m_boxes->title(), m_boxes);
  QDockWidget* scatter = addDock("scatter", "Cost", m_scatter);
  QDockWidget* parallel = addDock("parallel", "Parallel axes", m_parallel);
  QDockWidget* graph = addDock("graph", "Pipelines", m_graph);
  splitDockWidget(differences, lines, Qt::Horizontal);
  splitDockWidget(lines, scatter, Qt::Horizontal);
  splitDockWidget(scatter, graph, Qt::Horizontal);
  tabifyDockWidget(lines, boxes);
  tabifyDockWidget(scatter, parallel);
  lines->raise();
  scatter->raise();
}

void RunsArea::connectParts() {
  RunTableModel& model = m_page->model();
  const auto showChosen = [this, &model] {
    const auto& baseline = model.listing().baseline;
    m_set->setChosen(m_page->view().chosen(),
                     baseline ? std::optional(baseline->number) : std::nullopt);
  };
  connect(m_page, &RunsPage::chosenChanged, this, showChosen);
  connect(&model, &RunTableModel::listed, this, [this, &model, showChosen] {
    if (model.listing().mistake) return;
    m_compareStore.setFile(m_store.file());
    m_listedPause.start();
    showChosen();
  });
  // The points are read only after a pause, not at every key.
  m_listedPause.setSingleShot(true);
  m_listedPause.setInterval(kPointsAfterMs);
  connect(&m_listedPause, &QTimer::timeout, this, [this, &model] {
    std::vector<RunNumber> top;
    for (const RunSummary& run : model.listing().top) top.push_back(run.number);
    m_set->setListed(model.listing().rest, top);
  });
  connect(m_set, &CompareSet::chooseRequested, this,
          [this](const std::vector<RunNumber>& runs) { m_page->view().choose(runs); });
  connect(m_set, &CompareSet::changed, m_page,
          [this] { m_page->setMeasureObstacle(m_set->missingData()); });
  connect(m_set, &CompareSet::openRequested, this, &RunsArea::openRequested);
  connect(m_page, &RunsPage::openRequested, this, &RunsArea::openRequested);
  connect(m_page, &RunsPage::measureRequested, m_measure, &MeasureAgain::start);
  connect(m_measure, &MeasureAgain::kept, m_page, &RunsPage::readAgain);
  m_differences->pageAction()->setIconText("Save page");
  connect(m_differences, &DifferencesPanel::written, m_page, &RunsPage::say);
  m_page->addButton(m_differences->pageAction());
  m_page->addButton(m_page->action("export_table"));
}

bool RunsArea::isSettled() const {
  return m_page->model().isSettled() && m_set->isSettled() && !m_listedPause.isActive();
}

void RunsArea::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Sizes, including restored ones, only take effect once the window has its size.
  if (!std::exchange(m_isLaidOut, true)) QTimer::singleShot(0, this, &RunsArea::layOut);
  QTimer::singleShot(0, this, &RunsArea::putBack);
  m_set->setWatched(true);
}

/// Docks next to each other are too narrow in a small window, which has its own layout.
QString RunsArea::layoutKey() const {
  const int room = m_left.isEmpty() ? window()->width() : m_leftSize.width();
  return room < kRoomForThree ? "runs/layout_small" : "runs/layout";
}

void RunsArea::layOut() {
  const QByteArray kept = m_settings.value(layoutKey()).toByteArray();
  if (kept.isEmpty()) return layOutFirst();
  restoreState(kept);
  m_left = kept;
  m_leftSize = m_settings.value("runs/layout_size").toSize();
}

void RunsArea::leave() {
  m_left = saveState();
  m_leftSize = size();
}

/// When the tab comes to the front, the docks of a pipeline still take their room for a moment. Qt
/// gives the room that they leave to the last dock alone, so the widths would move there each time.
void RunsArea::putBack() {
  if (m_left.isEmpty() || size() != m_leftSize) return;
  restoreState(std::exchange(m_left, {}));
}

void RunsArea::layOutFirst() {
  QList<QDockWidget*> docks;
  for (const char* name : {"differences", "lines", "scatter", "graph"})
    docks << findChild<QDockWidget*>(QString("runs_") + name);
  constexpr int kRoomForFour = 1500;
  // A pipeline's docks may still be disappearing, so the window's width is the room that there will
  // be.
  const int room = window()->width();
  if (room < kRoomForThree) {
    for (const char* name : {"lines", "boxes", "scatter", "parallel", "graph"})
      tabifyDockWidget(docks.first(), findChild<QDockWidget*>(QString("runs_") + name));
    docks.first()->raise();
  } else if (room < kRoomForFour) {
    for (const char* name : {"scatter", "parallel"})
      tabifyDockWidget(docks[1], findChild<QDockWidget*>(QString("runs_") + name));
    docks[1]->raise();
    docks.removeAt(2);
    resizeDocks(docks, {560, 400, 390}, Qt::Horizontal);
  } else {
    resizeDocks(docks, {400, 380, 330, 400}, Qt::Horizontal);
  }
  // Room for a dozen differences and as many runs; in a low window, more for the runs.
  constexpr int kUsualPage = 330;
  const int page = std::max(height() * 45 / 100, std::min(kUsualPage, height() * 55 / 100));
  resizeDocks({docks.first()}, {height() - page}, Qt::Vertical);
  m_settings.setValue(layoutKey(), saveState());
}

void RunsArea::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (isVisible()) QTimer::singleShot(0, this, &RunsArea::putBack);
  // The docks have their new sizes afterwards.
  if (m_isLaidOut && event->size().height() < event->oldSize().height())
    QTimer::singleShot(0, this, &RunsArea::keepTable);
}

/// In a window that becomes lower, Qt takes the height from the table alone.
void RunsArea::keepTable() {
  constexpr int kLeastTable = 240;
  constexpr int kLeastDocks = 150;
  if (m_page->height() >= kLeastTable) return;
  for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (dock->isVisible() && !dock->isFloating())
      return resizeDocks({dock}, {std::max(kLeastDocks, height() - kLeastTable)}, Qt::Vertical);
}

void RunsArea::hideEvent(QHideEvent* event) {
  QMainWindow::hideEvent(event);
  if (m_left.isEmpty() && !event->spontaneous()) leave();
  m_set->setWatched(false);
}

}  // namespace millrace
