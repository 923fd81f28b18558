// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/kept_run_page.h"

#include <utility>

#include <QDockWidget>
#include <QTabBar>
#include <QTimer>

#include "core/base/text/text.h"
#include "core/jobs/loader/loader_record.h"
#include "core/jobs/run/recorded_run.h"
#include "core/store/run_origin.h"
#include "core/store/stored_values.h"
#include "widgets/bridge/run_advice.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/node_time_panel.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/dock.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/compare/kept_pipeline_page.h"
#include "widgets/loader/live_loader.h"
#include "widgets/loader/loader_graph.h"
#include "widgets/models/live/kept_live_run.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/pipeline_title.h"
#include "widgets/models/run_state.h"
#include "widgets/runs/run_column.h"
#include "widgets/trace/trace_page.h"

namespace millrace {

namespace {

/// The view of which the store keeps nothing.
constexpr const char* kNotKept = "cores";
/// Views that share a place with another one.
const QList<QPair<QString, QString>> kSharing = {
    {"throughput", "memory"}, {"throughput", "coresUsed"}, {"throughput", "gpuBusy"},
    {"queueFill", "disk"},    {"queueFill", "network"},    {"nodeTime", "order"}};

QString subtitleOf(const RunSummary& run) {
  return shownPipeline(run.pipelineName) + ", " + shownState(run) + ", " +
         shownTime(run.started, wallNow()) + ", read-only";
}

/// The card's text below the evidence. The change is made where the pipeline can be edited.
std::optional<AdvicePanel::Change> changeOf(const Document& document, const NodeNames& names,
                                            const LiveRun& run) {
  if (!run.result() || run.result()->result.repeats.empty()) return std::nullopt;
  const auto titleOf = [&names](const QString& id) {
    const auto name = names.find(fromQt(id));
    return name == names.end() ? QString() : name->second.title;
  };
  const RunAdvice advice =
      runAdviceOf(document.graph(), document.catalog(), document.base(), run.result()->result);
  AdvicePanel::Change change;
  change.cause = limitText(advice, titleOf);
  change.text = adviceText(advice, titleOf);
  return change.cause.isEmpty() && change.text.isEmpty() ? std::nullopt : std::optional(change);
}

}  // namespace

KeptRunPage::KeptRunPage(const Catalog& catalog, QWidget* parent)
    : QMainWindow(parent, Qt::Widget),
      m_catalog(catalog),
      m_middle(new QTabWidget),
      m_pipeline(new KeptPipelinePage(catalog)),
      m_trace(new TracePage),
      m_views(new RunViews(m_none, {}, this)),
      m_details(new RunDetailsView) {
  setObjectName("kept_run_page");
  setMinimumSize(400, 200);
  setDockNestingEnabled(true);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  m_middle->setDocumentMode(true);
  m_middle->addTab(m_pipeline, "Pipeline");
  m_middle->addTab(m_trace, "Trace");
  m_middle->setTabVisible(1, false);
  setCentralWidget(m_middle);
  setFocusProxy(m_middle);
  buildDocks();
  connect(m_pipeline, &KeptPipelinePage::traceRequested, this, &KeptRunPage::showTrace);
  connect(m_trace, &TracePage::pipelineRequested, this, [this] { m_middle->setCurrentIndex(0); });
  connect(m_pipeline, &KeptPipelinePage::restoreRequested, this, &KeptRunPage::restoreRequested);
  connect(m_pipeline, &KeptPipelinePage::exportRequested, this, &KeptRunPage::exportRequested);
}

KeptRunPage::~KeptRunPage() { m_views->show(nullptr); }

QDockWidget* KeptRunPage::addDock(const QString& name, const QString& title, QWidget* view,
                                  Qt::DockWidgetArea area) {
  QDockWidget* dock = makeDock("kept_" + name, title, view);
  addDockWidget(area, dock);
  return dock;
}

void KeptRunPage::buildDocks() {
  QDockWidget* below = nullptr;
  QDockWidget* right = nullptr;
  for (const RunViews::Dock& entry : m_views->docks()) {
    if (entry.name == kNotKept) {
      entry.view->setParent(this);
      entry.view->hide();
      continue;
    }
    const bool isBelow = entry.place == RunViews::Place::Below;
    QDockWidget* dock = addDock(entry.name, entry.title, entry.view,
                                isBelow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
    QDockWidget*& before = isBelow ? below : right;
    if (before != nullptr) splitDockWidget(before, dock, isBelow ? Qt::Horizontal : Qt::Vertical);
    before = dock;
  }
  for (const auto& [first, second] : kSharing)
    tabifyDockWidget(findChild<QDockWidget*>("kept_" + first),
                     findChild<QDockWidget*>("kept_" + second));
  QDockWidget* details = addDock("details", "About the run", m_details, Qt::RightDockWidgetArea);
  tabifyDockWidget(findChild<QDockWidget*>("kept_advice"), details);
  findChild<QDockWidget*>("kept_advice")->raise();
  for (const char* name : {"kept_throughput", "kept_queueFill", "kept_nodeTime"})
    findChild<QDockWidget*>(name)->raise();
  m_views->strip().setParent(this);
  m_views->strip().hide();
  // Only the pipeline of a document can be measured.
  m_views->advice().setMeasures(false);
  if (auto* diagnosis = m_views->advice().findChild<DiagnosisView*>()) diagnosis->hide();
}

Status KeptRunPage::showPipeline(const RecordedRun& recorded, const QString& title) {
  const Status opened =
      m_pipeline->show(recorded.run.pipelineJson, title, subtitleOf(recorded.run.details.summary));
  const Document& document = m_pipeline->canvas().session().document;
  const NodeNames names = opened ? namesOf(document) : NodeNames();
  m_run = keptLiveRun(recorded, names);
  if (opened) m_pipeline->canvas().showRun(overlayOf(m_run));
  m_views->show(&m_run);
  m_views->advice().setChange(opened ? changeOf(document, names, m_run) : std::nullopt);
  return opened;
}

void KeptRunPage::showLoader(const RecordedRun& recorded, const QString& title) {
  const RunDetails& details = recorded.run.details;
  const Graph graph = loaderGraph(keptLoaderPlan(details));
  m_pipeline->show(graph, loaderCatalog(), title, subtitleOf(details.summary));
  m_middle->setTabText(0, "Loader");
  m_run = keptLiveRun(recorded, loaderNames(graph));
  m_pipeline->canvas().showRun(
      loaderOverlay(m_run, factOf(details, "loader_limit_step").value_or("")));
  for (const RunViews::Dock& entry : m_views->docks())
    if (auto* times = qobject_cast<NodeTimePanel*>(entry.view))
      times->setWorkers("process", "processes");
  m_views->show(&m_run);
}

Status KeptRunPage::showRun(const RecordedRun& recorded, const std::optional<JudgedAgainst>& judged,
                            const QString& title) {
  Status opened;
  if (isFileOrigin(factOf(recorded.run.details, kOriginFact).value_or("")))
    showLoader(recorded, title);
  else
    opened = showPipeline(recorded, title);
  const bool hasGpu = !m_run.gpuBusy().points().empty();
  for (const char* name : {"kept_gpu", "kept_gpuBusy"})
    findChild<QDockWidget*>(name)->setVisible(hasGpu);
  const auto trace = factOf(recorded.run.details, kTraceFileFact);
  // Tabs that are hidden count as tabs for QTabWidget::setTabBarAutoHide.
  m_middle->setTabVisible(1, trace.has_value());
  m_middle->tabBar()->setVisible(trace.has_value());
  if (trace) {
    m_pipeline->offerTrace();
    m_trace->setPipeline([this](const QString& id) {
      const QString shown = m_run.titleOf(fromQt(id));
      return shown == id ? QString() : shown;
    });
    m_trace->open(toQt(*trace));
  }
  m_details->showSections(detailsOf(recorded.run, judged, m_catalog));
  return opened;
}

void KeptRunPage::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Sizes only take effect once the page has its size.
  if (!std::exchange(m_isLaidOut, true)) QTimer::singleShot(0, this, &KeptRunPage::layOut);
}

void KeptRunPage::layOut() {
  constexpr int kRoomForThree = 1000;
  constexpr int kRoomForBelow = 560;
  constexpr int kFigures = 236;
  const auto dock = [this](const char* name) {
    return findChild<QDockWidget*>(QString("kept_") + name);
  };
  if (width() < kRoomForThree) {
    for (const char* name : {"queueFill", "nodeTime"})
      tabifyDockWidget(dock("throughput"), dock(name));
    tabifyDockWidget(dock("advice"), dock("figures"));
    dock("throughput")->raise();
    dock("figures")->raise();
  }
  resizeDocks({dock("advice")}, {width() < kRoomForThree ? 260 : 330}, Qt::Horizontal);
  resizeDocks({dock("throughput")}, {height() < kRoomForBelow ? height() * 45 / 100 : 300},
              Qt::Vertical);
  if (width() >= kRoomForThree)
    resizeDocks({dock("advice"), dock("figures")}, {height() - kFigures, kFigures}, Qt::Vertical);
  m_pipeline->canvas().fit();
}

}  // namespace millrace
