// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/main_window.h"

#include <utility>

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QUndoView>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/file_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/preview_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/canvas_menu.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/document_saving.h"
#include "app/workbench/window/field_undo.h"
#include "app/workbench/window/machine_text.h"
#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/recent_files.h"
#include "app/workbench/window/status_note.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/dialog_habits.h"
#include "widgets/common/dock.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/panels/library_panel.h"
#include "widgets/panels/outline_panel.h"
#include "widgets/panels/problems_panel.h"

namespace millrace {

MainWindow::MainWindow(const Catalog& catalog, QWidget* parent)
    : QMainWindow(parent),
      m_catalog(catalog),
      m_settings("millrace", "workbench"),
      m_tabs(new QTabWidget),
      m_docks(new DocumentDocks(*this)),
      m_files(new FileController(this)),
      m_saving(new DocumentSaving(*m_files, m_settings, *this)),
      m_library(new LibraryPanel(catalog)),
      m_outline(new OutlinePanel),
      m_history(new QUndoView(&m_undo)),
      m_inspector(new InspectorPanel),
      m_problems(new ProblemsPanel),
      m_controller(new RunController(*this, *m_docks, m_settings, [this] { return page(); })),
      m_runs(new RunsController(
          *this, *m_tabs, *m_docks, m_settings, catalog,
          [this](const std::string& json, const QString& title) { return restore(json, title); })),
      m_sweeps(new SweepController({*this, *m_tabs, m_settings, [this] { return page(); }})),
      m_tunes(new TuneController({*this, *m_tabs, m_settings, [this] { return page(); }})),
      m_dataReports(
          new DataReportController({*this, *m_tabs, m_settings, [this] { return page(); }})),
      m_loaders(new LoaderController({*this, *m_tabs, m_settings, [this] { return page(); }},
                                     {[this] { return m_controller->measure(); },
                                      [this](const QString& file, const QString& step,
                                             const std::function<void(PipelinePage*)>& take) {
                                        openAsStep(file, step, take);
                                      }})),
      m_diagnoses(new DiagnoseController(*this, m_controller->views().advice().diagnosis(),
                                         [this] { return page(); })),
      m_ready(new StatusNote),
      m_selected(new QLabel),
      m_machine(new StatusNote("cpu")) {
  setWindowTitle("Millrace");
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  m_tabs->setDocumentMode(true);
  m_tabs->setTabsClosable(true);
  m_tabs->setMovable(true);
  m_tabs->tabBar()->setExpanding(false);
  // Tabs request the size of the largest one among them, whether it is in front or not, at the cost
  // of the docks.
  m_tabs->setMinimumSize(360, 200);
  // Otherwise the docks would set the least size, and the window could not become small enough for
  // them to fold.
  setMinimumSize(640, 480);
  buildStart();
  buildDocks();
  buildActions();
  buildStatus();
  connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showPage);
  connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closePage);
  m_tabs->tabBar()->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_tabs->tabBar(), &QWidget::customContextMenuRequested, this, &MainWindow::showTabMenu);
  connect(m_saving, &DocumentSaving::asking, m_tabs, &QTabWidget::setCurrentWidget);
  connect(m_saving, &DocumentSaving::saved, m_recent, &RecentFiles::remember);
  connect(m_saving, &DocumentSaving::failed, this, &MainWindow::warn);
  qApp->installEventFilter(new FieldUndo(this));
  qApp->installEventFilter(new DialogHabits(this));
  resize(1389, 868);
  m_firstLayout = saveState();
  m_fits = !restoreGeometry(m_settings.value("geometry").toByteArray());
  m_docks->setLayouts(m_settings.value("layout").toByteArray(),
                      m_settings.value("layout_running").toByteArray());
  m_controller->showEditingDocks();
  newPage();
}

MainWindow::~MainWindow() {
  // Tabs vanish with their controllers, and no controller may react to that. Pages are deleted with
  // the window, after this.
  m_tabs->disconnect();
  // Docks are hidden when they are deleted, which is later, too.
  for (QDockWidget* dock : findChildren<QDockWidget*>()) dock->disconnect(this);
  qDeleteAll(searches());
  delete m_runs;
  for (const auto& connection : m_pageConnections) disconnect(connection);
  m_inspector->setSession(nullptr);
  m_outline->setSession(nullptr);
  m_history->setGroup(nullptr);  // It is a member, which goes before the view.
  m_problems->setSession(nullptr);
  m_previews->setSession(nullptr);
}

PipelinePage* MainWindow::page() const { return pageAt(m_tabs->currentIndex()); }

PipelinePage* MainWindow::pageAt(int index) const {
  return qobject_cast<PipelinePage*>(m_tabs->widget(index));
}

void MainWindow::sizeDocks() {
  const auto dock = [this](const char* name) { return findChild<QDockWidget*>(name); };
  resizeDocks({dock("nodes"), dock("inspector")}, {m_library->widthOfNames(), 320}, Qt::Horizontal);
  resizeDocks({dock("nodes"), dock("outline")}, {440, 260}, Qt::Vertical);
  resizeDocks({m_problemsDock}, {200}, Qt::Vertical);
  resizeDocks({m_problemsDock, dock("preview")}, {285, 485}, Qt::Horizontal);
}

/// Docks that were sized or restored before the window was laid out are too narrow.
void MainWindow::sizeDocksOnce() {
  if (m_docksSized || !isVisible() || m_settings.contains("layout")) return;
  // The start page may come in between: then the docks are sized when it closes.
  QTimer::singleShot(0, this, [this] {
    if (m_docksSized || m_docks->isFolded() || m_docks->isAway()) return;
    m_docksSized = true;
    sizeDocks();
  });
}

/// A restored window may come from a larger screen, or its docks may need more than this one has.
void MainWindow::fitToScreen() {
  if (m_fits || isMaximized() || isFullScreen() || screen() == nullptr) return;
  m_fits = true;
  const QRect room = screen()->availableGeometry();
  const QSize frame = frameGeometry().size() - size();
  resize(size().boundedTo(room.size() - frame));
  QRect place = frameGeometry();
  place.moveRight(std::min(place.right(), room.right()));
  place.moveBottom(std::min(place.bottom(), room.bottom()));
  move(std::max(place.left(), room.left()), std::max(place.top(), room.top()));
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Docks are laid out after this, and the window grows with them.
  QTimer::singleShot(0, this, &MainWindow::fitToScreen);
  sizeDocksOnce();
}

void MainWindow::buildDocks() {
  auto* nodes = makeDock("nodes", "Nodes", m_library);
  auto* outline = makeDock("outline", "Outline", m_outline);
  auto* inspector = makeDock("inspector", "Inspector", m_inspector);
  m_problemsDock = makeDock("problems", "Problems", m_problems);
  // A layout restored before the window has a size would squeeze them.
  constexpr int kLeastNames = 190;
  m_library->setMinimumWidth(kLeastNames);
  m_outline->setMinimumWidth(kLeastNames);
  addDockWidget(Qt::LeftDockWidgetArea, nodes);
  addDockWidget(Qt::LeftDockWidgetArea, outline);
  addDockWidget(Qt::RightDockWidgetArea, inspector);
  addDockWidget(Qt::BottomDockWidgetArea, m_problemsDock);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  auto* history = makeDock("history", "History", m_history);
  m_history->setEmptyLabel("As opened");
  m_history->setWordWrap(true);
  m_history->setMinimumWidth(kLeastNames);
  m_history->setAccessibleName("History: the steps that can be undone and redone");
  addDockWidget(Qt::LeftDockWidgetArea, history);
  tabifyDockWidget(outline, history);
  history->hide();
  m_previews = new PreviewController(*this, *m_controller);
  sizeDocks();
  connect(m_library, &LibraryPanel::chosen, this, &MainWindow::addKind);
  connect(m_outline, &OutlinePanel::inspectRequested, this, &MainWindow::inspect);
  connect(m_outline, &OutlinePanel::menuRequested, this, [this](QPoint at) {
    CanvasThing selected;
    selected.kind = CanvasThing::Kind::Nodes;
    if (page() != nullptr && !page()->session().selection.nodes().empty()) showMenu(at, selected);
  });
  connect(m_inspector, &InspectorPanel::helpRequested, this, &MainWindow::showHelp);
  connect(m_inspector, &InspectorPanel::left, this, [this] {
    if (page() != nullptr) page()->view().setFocus();
  });
  connect(m_problems, &ProblemsPanel::nodeRequested, this, &MainWindow::showProblem);
  connect(m_inspector, &InspectorPanel::sweepRequested, this,
          [this](const QString& node, const QString& param) {
            m_sweeps->ask(fromQt(node), fromQt(param));
          });
  m_controller->buildDocks();
  m_inspector->setRanOf([this](const NodeId& id) -> std::optional<NodeRun> {
    const LiveRun& run = m_controller->views().run();
    return run.isOver() ? nodeRunOf(run, id) : std::nullopt;
  });
  connect(&m_controller->views(), &RunViews::runChanged, m_inspector, &InspectorPanel::showRun);
  buildMeasuring();
  m_runs->returnToChosenStore();
  connect(m_controller, &RunController::nodeRequested, this,
          [this](const QString& node) { showProblem(node, {}); });
  connect(m_controller, &RunController::gpuHelpRequested, this, [this] {
    warn("The engine finds no GPU on this machine",
         "It uses NVIDIA's library libnvidia-ml.so.1, which comes with the driver. `millrace "
         "doctor` shows what was found. A GPU is not required: everything also runs on the CPU.");
  });
}

void MainWindow::buildStatus() {
  m_ready->setObjectName("ready");
  connect(m_ready, &QLabel::linkActivated, this, [this] {
    if (page() != nullptr) page()->findChild<PageNotices*>()->locateFirst();
  });
  connect(findChild<QDockWidget*>("preview"), &QDockWidget::visibilityChanged, this,
          &MainWindow::foldProblems);
  connect(m_ready, &StatusNote::opened, this, [this] {
    m_problemsDock->show();
    m_problemsDock->raise();
    m_problems->setFocus();
  });
  statusBar()->addWidget(m_ready);
  statusBar()->addWidget(m_selected);
  m_data = new DataController(
      *statusBar(),
      {[this] { return page(); },
       [this] { return m_controller->session().isRunning() || !whatMeasures().isEmpty(); }},
      this);
  statusBar()->addPermanentWidget(m_machine);
  m_runs->fillStatusBar(*statusBar());
  m_machine->setText(machineText());
  statusBar()->setSizeGripEnabled(false);
}

void MainWindow::showProblem(const QString& node, const QString& field) {
  if (page() == nullptr || node.isEmpty()) return;
  const NodeId id = fromQt(node);
  if (page()->session().document.graph().node(id) == nullptr) return;
  page()->session().selection.set({id});
  page()->view().showNode(id);
  if (!field.isEmpty()) m_inspector->focusField(field);
}

void MainWindow::inspect() {
  auto* dock = findChild<QDockWidget*>("inspector");
  dock->show();
  dock->raise();
  m_inspector->focusField({});
}

/// After a run, a node chosen on the canvas shows what it did.
void MainWindow::showWhatItDid() {
  if (page() == nullptr || !page()->view().hasFocus()) return;
  const bool isOne = page()->session().selection.nodes().size() == 1;
  if (isOne && m_controller->views().run().isOver())
    if (auto* dock = findChild<QDockWidget*>("inspector"); !dock->isHidden()) dock->raise();
}

/// If a node is selected, the new one follows it.
void MainWindow::addKind(const QString& kind) {
  if (page() == nullptr) return;
  EditSession& session = page()->session();
  const NodeId current = session.selection.current();
  if (current.empty() || !session.editor.addAfter(fromQt(kind), current))
    session.editor.add(fromQt(kind));
  page()->view().showNode(session.selection.current());
}

void MainWindow::showMenu(QPoint at, const CanvasThing& thing) {
  if (page() == nullptr) return;
  auto* menu = new QMenu(this);
  menu->setObjectName("canvas_menu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillCanvasMenu(*menu, *page(), thing, [this](const char* name) { return action(name); });
  menu->popup(at);
}

void MainWindow::warn(const QString& title, const QString& sentence) {
  QMessageBox box(QMessageBox::Warning, "Millrace", title, QMessageBox::Close, this);
  box.setInformativeText("<p>" + richText(sentence) + "</p>");
  box.exec();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) open(url.toLocalFile());
}

}  // namespace millrace
