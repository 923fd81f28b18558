// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/runs_controller.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "app/workbench/controllers/run_count.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/runs_area.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/spec/catalog.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/compare/graph_diff_view.h"
#include "widgets/compare/kept_pipeline_page.h"
#include "widgets/compare/measure_again.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

/// The default columns: the settings that are varied most often, and their results.
const QStringList kUsualColumns = {"number",
                                   "name",
                                   "tag",
                                   "workers.count",
                                   "prefetch.batches",
                                   "samples_per_second",
                                   "change",
                                   "verdict",
                                   "step_share",
                                   "cpu_seconds_per_1000_samples",
                                   "environment.page_cache",
                                   "started"};

QString titleOf(const RunSummary& run) {
  const QString number = QString::number(static_cast<std::int64_t>(run.number));
  return run.name.empty() ? "Run " + number : "Run " + number + " " + toQt(validUtf8(run.name));
}

}  // namespace

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
      m_count(new RunCount(m_store)) {
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
  menu.addSeparator();
  // The menu is filled when it is opened.
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] {
    while (menu.actions().size() > 2) menu.removeAction(menu.actions().constLast());
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
    connect(&page, &RunsPage::restoreRequested, this,
            [this](RunNumber run) { askPipeline(run, m_restore); });
    connect(&page, &RunsPage::exportRequested, this, &RunsController::askExport);
    connect(&m_area->graph(), &GraphDiffView::exportRequested, this, &RunsController::askExport);
    connect(&page, &RunsPage::counted, this, &RunsController::statusChanged);
    connect(&page, &RunsPage::counted, m_count, &RunCount::countAgain);
    connect(&page, &RunsPage::storeChosen, this, [this] {
      m_count->count();
      emit storeChanged(m_store.file());
    });
    connect(&page, &RunsPage::chosenChanged, this, &RunsController::statusChanged);
  }
  if (m_tabs.indexOf(m_area) < 0) m_tabs.addTab(m_area, "Runs");
  m_tabs.setCurrentWidget(m_area);
  m_area->page().view().setFocus();
}

void RunsController::open(const QString& query) {
  open();
  m_area->page().queryLine().setText(query);
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
  return tab == m_area || isAdopted(tab) ||
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

void RunsController::askPipeline(RunNumber run,
                                 std::function<void(const std::string&, const QString&)> then) {
  struct Kept {
    std::string json;
    QString title;
  };
  m_store.ask<Kept>(
      this, {},
      [run](RunStore& store) -> Result<Kept> {
        MILLRACE_ASSIGN_OR_RETURN(auto json, store.pipelineJson(run));
        MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(run));
        return Kept{std::move(json), titleOf(details.summary)};
      },
      [this, then = std::move(then)](const StoreAnswer<Kept>& answer) {
        if (answer.value) return then(answer.value->json, answer.value->title);
        QMessageBox::warning(&m_window, "Millrace", answer.error);
      });
}

void RunsController::askExport(RunNumber run) {
  askPipeline(run, [this, run](const std::string& json, const QString& title) {
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

void RunsController::openRun(RunNumber run) {
  const auto key = static_cast<std::int64_t>(run);
  if (QWidget* page = m_pages[key]; page != nullptr && m_tabs.indexOf(page) >= 0) {
    m_tabs.setCurrentWidget(page);
    return;
  }
  askPipeline(run, [this, key](const std::string& json, const QString& title) {
    auto* page = new KeptPipelinePage(m_catalog);
    if (const Status shown = page->show(json, title); !shown) {
      delete page;
      QMessageBox::warning(&m_window, title, sentence(shown.error().message));
      return;
    }
    connect(page, &KeptPipelinePage::exportRequested, this,
            [this, key] { askExport(RunNumber{key}); });
    connect(page, &KeptPipelinePage::restoreRequested, this,
            [this, json, title] { m_restore(json, title); });
    m_pages[key] = page;
    m_tabs.setCurrentIndex(m_tabs.addTab(page, title));
  });
}

}  // namespace millrace
