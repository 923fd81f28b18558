// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/runs_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "app/workbench/controllers/run_count.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/kept_run_page.h"
#include "app/workbench/window/runs_area.h"
#include "core/base/text/text.h"
#include "core/compare/from_store.h"
#include "core/graph/json/graph_json.h"
#include "core/spec/catalog.h"
#include "core/store/stored_values.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/compare/graph_diff_view.h"
#include "widgets/compare/measure_again.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"
#include "widgets/runs/store_choice.h"
#include "widgets/trace/trace_page.h"

namespace millrace {

namespace {

/// The store that was chosen last, as a path.
constexpr const char* kStoreKey = "runs/store";

/// The default columns: which run it is, what distinguishes it, and its results.
const QStringList kUsualColumns = {"number",
                                   "pipeline",
                                   "name",
                                   "state",
                                   kVariedSettings,
                                   "samples_per_second",
                                   "change",
                                   "verdict",
                                   "step_share",
                                   "cpu_seconds_per_1000_samples",
                                   "environment.page_cache",
                                   "started",
                                   "tag"};

QString titleOf(const RunSummary& run) {
  const QString number = QString::number(static_cast<std::int64_t>(run.number));
  return run.name.empty() ? "Run " + number : "Run " + number + " " + toQt(validUtf8(run.name));
}

/// The name of a run's pipeline as a document; it differs from that of the run's page.
QString restoredTitle(const RunSummary& run) {
  const QString name = toQt(singleLine(run.pipelineName)).section('/', -1);
  return QString("%1 (from run %2)")
      .arg(name == "-" || name.isEmpty() ? QString("pipeline")
                                         : name.section(".millrace.json", 0, 0))
      .arg(raw(run.number));
}

}  // namespace

/// A run with its verdict against the baseline, if there is one.
struct RunsController::OpenedRun {
  RecordedRun recorded;
  std::optional<JudgedAgainst> judged;

  static Result<OpenedRun> read(RunStore& store, RunNumber run, std::optional<RunNumber> baseline,
                                const Catalog& catalog) {
    OpenedRun opened;
    MILLRACE_ASSIGN_OR_RETURN(opened.recorded, loadRecordedRun(store, run));
    if (!baseline || *baseline == run) return opened;
    const std::array both = {*baseline, run};
    MILLRACE_ASSIGN_OR_RETURN(const auto runs, loadRuns(store, both, catalog));
    opened.judged = JudgedAgainst{*baseline, judgeRuns(runs[0], runs[1], catalog)};
    return opened;
  }
};

RunsController::RunsController(QMainWindow& window, QTabWidget& tabs, DocumentDocks& docks,
                               QSettings& settings, const Catalog& catalog, Restore restore)
    : QObject(&window),
      m_window(window),
      m_tabs(tabs),
      m_docks(docks),
      m_settings(settings),
      m_catalog(catalog),
      m_restore(std::move(restore)),
      m_store(defaultStorePath()),
      m_open(new QAction(icon("runs"), "&Runs and comparison", this)),
      m_openTrace(new QAction("Open &trace…", this)),
      m_count(new RunCount(m_store)) {
  m_openTrace->setObjectName("action_open_trace");
  m_openTrace->setToolTip(
      "Show what every thread of a run did, from a trace that the run has written");
  connect(m_openTrace, &QAction::triggered, this, &RunsController::chooseTrace);
  m_open->setObjectName("action_runs");
  m_open->setShortcut(QKeySequence("Ctrl+Shift+R"));
  m_open->setToolTip("Show and compare kept runs (Ctrl+Shift+R)");
  connect(m_open, &QAction::triggered, this, qOverload<>(&RunsController::open));
  connect(&tabs, &QTabWidget::currentChanged, this, &RunsController::showFront);
}

RunsController::~RunsController() {
  disconnect(&m_tabs, nullptr, this, nullptr);  // The area's tab is removed without notification.
  delete m_area;
  delete m_count;  // Owned by the status bar; it uses the store.
}

void RunsController::fillMenu(QMenu& menu) {
  menu.addAction(m_open);
  menu.addAction(m_openTrace);
  menu.addSeparator();
  // The menu is filled when it is opened.
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] {
    constexpr int kOwn = 3;
    while (menu.actions().size() > kOwn) menu.removeAction(menu.actions().constLast());
    if (m_area != nullptr && m_tabs.currentWidget() == m_area)
      menu.addActions(m_area->page().menuActions());
  });
}

void RunsController::fillToolBar(QToolBar& bar) {
  bar.addAction(m_open);
  auto* button = qobject_cast<QToolButton*>(bar.widgetForAction(m_open));
  button->setText("Compare");
  button->setIcon(icon("compare"));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void RunsController::fillStatusBar(QStatusBar& bar) {
  bar.addPermanentWidget(m_count);
  connect(m_count, &QToolButton::clicked, this, qOverload<>(&RunsController::open));
  m_count->countAgain();
}

void RunsController::open() {
  emit opening();
  if (m_area == nullptr) {
    m_area = new RunsArea(m_store, m_catalog, m_settings, kUsualColumns);
    RunsPage& page = m_area->page();
    m_area->measureAgain().setObstacle(m_obstacle);
    connect(&m_area->measureAgain(), &MeasureAgain::stateChanged, this,
            &RunsController::measuringChanged);
    connect(m_area, &RunsArea::openRequested, this, &RunsController::openRun);
    connect(&page, &RunsPage::restoreRequested, this, [this](RunNumber run) {
      if (!bringToFront(m_restored[raw(run)]))
        askPipeline(run, [this](const RunSummary& summary, const std::string& json) {
          restoreRun(summary, json);
        });
    });
    connect(&page, &RunsPage::exportRequested, this, &RunsController::askExport);
    connect(&m_area->graph(), &GraphDiffView::exportRequested, this, &RunsController::askExport);
    connect(&page, &RunsPage::counted, this, &RunsController::statusChanged);
    connect(&page, &RunsPage::counted, m_count, &RunCount::countAgain);
    connect(&page, &RunsPage::storeChosen, this, [this] {
      m_settings.setValue(kStoreKey, fileText(m_store.file()));
      m_count->setRemark({});
      useStore();
    });
    connect(&page, &RunsPage::chosenChanged, this, &RunsController::statusChanged);
  }
  if (m_tabs.indexOf(m_area) < 0) m_tabs.addTab(m_area, "Runs");
  m_tabs.setCurrentWidget(m_area);
  m_area->page().view().setFocus();
}

void RunsController::useStore() {
  m_count->count();
  emit storeChanged(m_store.file());
}

void RunsController::returnToChosenStore() {
  const QString chosen = m_settings.value(kStoreKey).toString();
  if (chosen.isEmpty() || !qEnvironmentVariableIsEmpty("MILLRACE_STORE")) return;
  lookAtStore(*this, chosen, [this, chosen](const StoreLook& look) {
    const QString why = look.isNew ? "There is no file " + chosen + '.' : look.error;
    if (!why.isEmpty())
      return m_count->setRemark(why +
                                " You chose this store earlier. Until you choose one again, "
                                "runs are kept in " +
                                fileText(m_store.file()) + '.');
    m_store.setFile(pathOf(chosen));
    useStore();
    if (m_area != nullptr) m_area->page().readAgain();
  });
}

void RunsController::open(const QString& query) {
  open();
  m_area->page().queryLine().setText(query);
}

void RunsController::askNewest(QObject* context,
                               std::function<void(const std::vector<RunSummary>&)> done) {
  constexpr std::int64_t kNewest = 200;
  using Runs = std::vector<RunSummary>;
  m_store.ask<Runs>(
      context, {},
      [](RunStore& store) {
        RunQuery query;
        query.limit = kNewest;
        return store.list(query);
      },
      [done = std::move(done)](const StoreAnswer<Runs>& answer) {
        if (answer.value) done(*answer.value);
      });
}

void RunsController::adopt(QWidget* tab) {
  emit opening();
  if (!isAdopted(tab)) m_adopted.emplace_back(tab);
}

void RunsController::readAgain() {
  m_count->countAgain();
  if (m_area != nullptr) m_area->page().readAgain();
}

QString RunsController::measuring() const {
  return m_area != nullptr && m_area->measureAgain().isRunning() ? m_area->measureAgain().pair()
                                                                 : QString();
}

bool RunsController::isAdopted(const QWidget* tab) const {
  return std::ranges::any_of(m_adopted, [tab](const auto& each) { return each == tab; });
}

bool RunsController::owns(const QWidget* tab) const {
  if (tab == nullptr) return false;
  const auto isTab = [tab](const auto& each) { return each == tab; };
  return tab == m_area || isAdopted(tab) || std::ranges::any_of(m_traces, isTab) ||
         std::ranges::any_of(m_pages, [tab](const auto& entry) { return entry.second == tab; });
}

void RunsController::closeTab(QWidget* tab) {
  m_tabs.removeTab(m_tabs.indexOf(tab));
  if (tab != m_area && !isAdopted(tab)) tab->deleteLater();
  // The area is kept for the next time; it reads nothing while it is hidden.
}

QUndoStack* RunsController::undoStackOf(const QWidget* tab) const {
  return m_area != nullptr && tab == m_area ? &m_area->page().undoStack() : nullptr;
}

QString RunsController::statusText() const {
  if (m_area == nullptr || m_tabs.currentWidget() != m_area) return {};
  const std::size_t chosen = m_area->page().view().chosen().size();
  QString words = m_area->page().countText();
  if (chosen > 0) words += QString(", %1 selected").arg(chosen);
  return words;
}

void RunsController::showFront() {
  owns(m_tabs.currentWidget()) ? m_docks.putAway() : m_docks.bringBack();
  emit statusChanged();
}

void RunsController::askPipeline(RunNumber run, ThenPipeline then) {
  struct Kept {
    std::string json;
    RunSummary summary;
  };
  m_store.ask<Kept>(
      this, {},
      [run](RunStore& store) -> Result<Kept> {
        MILLRACE_ASSIGN_OR_RETURN(auto json, store.pipelineJson(run));
        MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(run));
        return Kept{std::move(json), details.summary};
      },
      [this, then = std::move(then)](const StoreAnswer<Kept>& answer) {
        if (answer.value) return then(answer.value->summary, answer.value->json);
        QMessageBox::warning(&m_window, "Millrace", answer.error);
      });
}

void RunsController::askExport(RunNumber run) {
  askPipeline(run, [this, run](const RunSummary& summary, const std::string& json) {
    const QString title = titleOf(summary);
    const ReadGraph read = parseGraph(json, m_catalog);
    if (!read.graph) {
      QMessageBox::warning(&m_window, title, "The run's kept pipeline cannot be read.");
      return;
    }
    ExportSource source;
    source.graph = *read.graph;
    source.catalog = &m_catalog;
    source.title = title;
    source.version = MILLRACE_VERSION;
    source.engine = engineProgram();
    source.subject = QStringList{"--run", QString::number(static_cast<std::int64_t>(run))};
    if (m_store.file() != defaultStorePath())
      source.subject << "--store" << fileText(m_store.file());
    emit exportRequested(source);
  });
}

void RunsController::chooseTrace() {
  withStartFolder(*this, {}, [this](const QString& folder) {
    const QString file =
        askOpenFile(&m_window, "Open trace", folder, "Traces (*.json);;All files (*)");
    if (!file.isEmpty()) openTrace(file);
  });
}

void RunsController::openTrace(const QString& file) {
  emit opening();
  auto* page = new TracePage;
  m_traces.emplace_back(page);
  page->open(file);
  m_tabs.setCurrentIndex(m_tabs.addTab(page, QFileInfo(file).fileName()));
}

bool RunsController::bringToFront(QWidget* tab) {
  if (tab == nullptr || m_tabs.indexOf(tab) < 0) return false;
  m_tabs.setCurrentWidget(tab);
  return true;
}

void RunsController::restoreRun(const RunSummary& run, const std::string& json) {
  QPointer<QWidget>& tab = m_restored[raw(run.number)];
  if (!bringToFront(tab)) tab = m_restore(json, restoredTitle(run));
}

void RunsController::openRun(RunNumber run) {
  if (bringToFront(m_pages[raw(run)])) return;
  std::optional<RunNumber> baseline;
  if (m_area != nullptr && m_area->page().model().listing().baseline)
    baseline = m_area->page().model().listing().baseline->number;
  m_store.ask<OpenedRun>(
      this, {},
      [=, this](RunStore& store) { return OpenedRun::read(store, run, baseline, m_catalog); },
      [this, run](const StoreAnswer<OpenedRun>& answer) {
        if (answer.value) return showRun(run, *answer.value);
        QMessageBox::warning(&m_window, "Millrace", answer.error);
      });
}

void RunsController::showRun(RunNumber run, const OpenedRun& opened) {
  if (bringToFront(m_pages[raw(run)])) return;
  const QString title = titleOf(opened.recorded.run.details.summary);
  auto* page = new KeptRunPage(m_catalog);
  const Status shown = page->showRun(opened.recorded, opened.judged, title);
  connect(page, &KeptRunPage::exportRequested, this, [this, run] { askExport(run); });
  connect(page, &KeptRunPage::restoreRequested, this,
          [this, summary = opened.recorded.run.details.summary,
           json = opened.recorded.run.pipelineJson] { restoreRun(summary, json); });
  m_pages[raw(run)] = page;
  m_tabs.setCurrentIndex(m_tabs.addTab(page, title));
  if (!shown) QMessageBox::warning(&m_window, title, sentence(shown.error().message).remove('`'));
}

}  // namespace millrace
