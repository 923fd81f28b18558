// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/main_window.h"

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

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/file_controller.h"
#include "app/workbench/controllers/preview_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/field_undo.h"
#include "app/workbench/window/machine_text.h"
#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/status_note.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/run_views.h"
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
      m_library(new LibraryPanel(catalog)),
      m_outline(new OutlinePanel),
      m_inspector(new InspectorPanel),
      m_problems(new ProblemsPanel),
      m_controller(new RunController(*this, m_settings, [this] { return page(); })),
      m_runs(new RunsController(
          *this, *m_tabs, *m_docks, m_settings, catalog,
          [this](const std::string& json, const QString& title) { restore(json, title); })),
      m_sweeps(new SweepController({*this, *m_tabs, m_settings, [this] { return page(); }})),
      m_tunes(new TuneController({*this, *m_tabs, m_settings, [this] { return page(); }})),
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
  qApp->installEventFilter(new FieldUndo(this));
  resize(1389, 868);
  m_firstLayout = saveState();
  m_fits = !restoreGeometry(m_settings.value("geometry").toByteArray());
  m_docks->setLayout(m_settings.value("layout").toByteArray());
  newPage();
}

MainWindow::~MainWindow() {
  // Tabs vanish with their controllers, and no controller may react to that. Pages are deleted with
  // the window, after this.
  m_tabs->disconnect();
  delete m_sweeps;
  delete m_tunes;
  delete m_runs;
  for (const auto& connection : m_pageConnections) disconnect(connection);
  m_inspector->setSession(nullptr);
  m_outline->setSession(nullptr);
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
  resizeDocks({m_problemsDock}, {230}, Qt::Vertical);
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
  constexpr int kLeastNames = 145;
  m_library->setMinimumWidth(kLeastNames);
  m_outline->setMinimumWidth(kLeastNames);
  addDockWidget(Qt::LeftDockWidgetArea, nodes);
  addDockWidget(Qt::LeftDockWidgetArea, outline);
  addDockWidget(Qt::RightDockWidgetArea, inspector);
  addDockWidget(Qt::BottomDockWidgetArea, m_problemsDock);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  m_previews = new PreviewController(*this, *m_controller);
  sizeDocks();
  connect(m_library, &LibraryPanel::chosen, this, [this](const QString& kind) {
    if (page() == nullptr) return;
    // If a node is selected, the new one follows it.
    EditSession& session = page()->session();
    const NodeId current = session.selection.current();
    if (current.empty() || !session.editor.addAfter(fromQt(kind), current))
      session.editor.add(fromQt(kind));
    page()->view().showNode(session.selection.current());
  });
  connect(m_outline, &OutlinePanel::inspectRequested, this, &MainWindow::inspect);
  connect(m_outline, &OutlinePanel::menuRequested, this, &MainWindow::showMenu);
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
  buildMeasuring();
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

void MainWindow::showPage() {
  for (const auto& connection : m_pageConnections) disconnect(connection);
  m_pageConnections.clear();
  PipelinePage* page = this->page();
  EditSession* session = page == nullptr ? nullptr : &page->session();
  m_inspector->setSession(session);
  m_outline->setSession(session);
  m_problems->setSession(session);
  m_previews->setSession(session);
  m_data->refresh();
  showNotices();
  if (session == nullptr) {
    const QWidget* front = m_tabs->currentWidget();
    QUndoStack* stack = m_sweeps->undoStackOf(front);
    if (stack == nullptr) stack = m_tunes->undoStackOf(front);
    m_undo.setActiveStack(stack != nullptr ? stack : m_runs->undoStackOf(front));
    refreshState();
    for (QAction* action : m_pageActions) action->setEnabled(false);
    m_selected->clear();
    setWindowTitle(m_tabs->tabText(m_tabs->currentIndex()) + " · Millrace");
    setWindowModified(false);
    refreshReady();
    return;
  }
  for (QAction* action : m_pageActions) action->setEnabled(true);
  m_undo.setActiveStack(&session->document.undoStack());
  m_pageConnections = {
      connect(&session->document, &Document::stateChanged, this, &MainWindow::refreshState),
      connect(&session->document, &Document::changed, this, &MainWindow::refreshActions),
      connect(&session->selection, &Selection::changed, this, &MainWindow::refreshActions),
      connect(&session->check, &BackgroundCheck::finished, this, &MainWindow::refreshState),
      connect(&session->check, &BackgroundCheck::finished, this, &MainWindow::refreshActions),
  };
  refreshState();
  refreshActions();
  page->view().setFocus();
}

void MainWindow::refreshState() {
  m_start->refresh();
  int documents = 0;
  for (int i = 0; i < m_tabs->count(); ++i) {
    PipelinePage* page = pageAt(i);
    if (page == nullptr) continue;
    ++documents;
    const Document& document = page->session().document;
    m_tabs->setTabText(i, document.title() + (document.isModified() ? " •" : ""));
    m_tabs->setTabToolTip(i, document.filePath());
  }
  m_controller->setDocuments(documents);
  m_controller->refresh();
  m_sweeps->refresh();
  m_tunes->refresh();
  m_diagnoses->refresh();
  refreshDockActions();
  if (page() == nullptr) return;
  const BackgroundCheck& check = page()->session().check;
  setWindowTitle(m_start->isShown() ? QString("Millrace")
                                    : page()->session().document.title() + "[*] · Millrace");
  setWindowModified(page()->session().document.isModified());
  const int count = check.errors() + check.warnings();
  m_problemsDock->setWindowTitle(count == 0 ? QString("Problems")
                                            : QString("Problems · %1").arg(count));
  refreshReady();
}

void MainWindow::refreshReady() {
  const QString sweeping =
      m_sweeps->statusText() + m_tunes->statusText() + m_diagnoses->statusText();
  if (page() == nullptr) {
    m_ready->setIcon(sweeping.isEmpty() ? "" : "play");
    m_ready->setText(sweeping.isEmpty() ? m_runs->statusText() : sweeping);
    return;
  }
  const int errors = page()->session().check.errors();
  const int warnings = page()->session().check.warnings();
  const auto* notices = page()->findChild<PageNotices*>();
  const QString missing = notices == nullptr ? QString() : notices->missingText();
  QString text = errors > 0 ? shownCount(errors, "error") : QString("Ready to run");
  if (warnings > 0) text += ", " + shownCount(warnings, "warning");
  if (!missing.isEmpty()) text = missing;
  QString icon = warnings > 0 || !missing.isEmpty() ? "warning" : "";
  if (errors > 0) icon = "error";
  if (m_start->isShown()) {
    text = "No pipeline open";
    icon.clear();
  }
  for (const QString& going : {sweeping, m_controller->statusText()})
    if (!going.isEmpty()) {
      text = going;
      icon = "play";
    }
  m_ready->setIcon(icon);
  m_ready->setText(text);
}

/// Hidden docks can be neither switched nor shown.
void MainWindow::refreshDockActions() {
  const bool inPlace = !m_docks->isAway();
  for (const char* name : {"swap_docks", "reset_layout"}) action(name)->setEnabled(inPlace);
  m_docksMenu->setEnabled(inPlace);
}

void MainWindow::refreshActions() {
  if (page() == nullptr) return;
  EditSession& session = page()->session();
  const std::size_t count = session.selection.nodes().size();
  const auto enable = [this](const QString& name, bool on) { action(name)->setEnabled(on); };
  for (const char* name : {"cut", "copy", "duplicate", "delete_heal", "group", "ungroup"})
    enable(name, count > 0);
  enable("delete", !session.selection.isEmpty());
  for (const char* name : {"add_behind", "connect", "rename", "plain"}) enable(name, count == 1);
  const auto why = session.editor.whyNoBypass();
  enable("bypass", !why);
  action("bypass")->setToolTip(why.value_or("Bypass (B)"));
  action("bypass")->setStatusTip(why.value_or(QString()));
  enable("arrange", !session.document.graph().nodes.empty());
  enable("export", !session.document.graph().nodes.empty());
  QString text;
  if (count == 1) text = "Selected: " + session.editor.titleOf(session.selection.current());
  if (count > 1) text = QString("Selected: %1 nodes").arg(count);
  if (session.selection.wire()) text = "Selected: a wire";
  m_selected->setText(text);
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

void MainWindow::showMenu(QPoint at) { m_context->popup(at); }

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
