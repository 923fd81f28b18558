// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/run_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>

#include "app/workbench/controllers/advice_controller.h"
#include "app/workbench/dialogs/measure_dialog.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/machine_text.h"
#include "app/workbench/window/page_obstacle.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/gpu_panel.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/dock.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/document_command.h"
#include "widgets/models/live/kept_live_run.h"
#include "widgets/trace/trace_place.h"

namespace millrace {

namespace {

struct Preset {
  const char* name;
  double warmupSeconds;
  double seconds;
  int repeats;
};
constexpr Preset kPresets[] = {
    {"Quick look", 0.5, 2, 1}, {"Standard", 2, 5, 3}, {"Thorough", 5, 20, 5}};

MeasureChoice chosenBy(const Preset& preset) {
  MeasureChoice measure;
  measure.warmupSeconds = preset.warmupSeconds;
  measure.seconds = preset.seconds;
  measure.repeats = preset.repeats;
  return measure;
}

/// `measure`, or with the times of the standard preset if it is too short to tell what limits a
/// run.
MeasureChoice longEnough(const MeasureChoice& measure) {
  if (measure.epochs == 0 && measure.repeats * measure.seconds >= LiveLimit::kLeastSeconds)
    return measure;
  const MeasureChoice standard = chosenBy(kPresets[1]);
  MeasureChoice longer = measure;
  longer.warmupSeconds = std::max(measure.warmupSeconds, standard.warmupSeconds);
  longer.seconds = standard.seconds;
  longer.repeats = std::max(measure.repeats, standard.repeats);
  longer.epochs = 0;
  return longer;
}

}  // namespace

QString shownMeasure(const MeasureChoice& measure) {
  const QString s = kNoBreak + QString("s");
  const QString each =
      measure.epochs > 0 ? shownCount(measure.epochs, "epoch") : shownNumber(measure.seconds) + s;
  QString text = shownNumber(measure.warmupSeconds) + s + " warm-up, " + each + ", " +
                 shownCount(measure.repeats, "repeat");
  if (measure.cold) text += ", cold";
  if (measure.ranks > 1) text += ", " + shownCount(measure.ranks, "rank");
  return text;
}

RunController::RunController(QMainWindow& window, DocumentDocks& docks, QSettings& settings,
                             FrontPage front)
    : QObject(&window),
      m_window(window),
      m_dockLayouts(docks),
      m_settings(settings),
      m_front(std::move(front)),
      m_views(new RunViews(m_session, firstGpuName(), this)),
      m_runs(m_session),
      m_advice(new AdviceController(m_views->advice(), m_runs, m_front, this)),
      m_run(new QAction(icon("play"), "&Run", this)),
      m_stop(new QAction(icon("stop"), "&Stop", this)),
      m_copyCommand(new QAction(icon("copy"), "&Copy as command", this)),
      m_clearQueue(new QAction("C&lear waiting runs", this)),
      m_swapDocks(new QAction("Switch docks of &editing and running", this)),
      m_trace(new QAction("Record a &trace", this)),
      m_measureMenu(new QMenu("&Measure", &window)) {
  m_clearQueue->setObjectName("action_clear_queue");
  m_clearQueue->setEnabled(false);
  connect(m_clearQueue, &QAction::triggered, this, &RunController::clearQueue);
  m_swapDocks->setObjectName("action_swap_docks");
  m_swapDocks->setShortcut(QKeySequence("F9"));
  connect(m_swapDocks, &QAction::triggered, this, &RunController::swapDocks);
  m_run->setObjectName("action_run");
  m_run->setShortcut(QKeySequence("F5"));
  m_stop->setObjectName("action_stop");
  m_stop->setShortcut(QKeySequence("Shift+F5"));
  m_copyCommand->setObjectName("action_copy_command");
  m_copyCommand->setToolTip("Copy the command that makes the same run");
  m_trace->setObjectName("action_record_trace");
  m_trace->setCheckable(true);
  m_trace->setToolTip(
      "Keep what every thread did, as a timeline on the run's page. Such a run is a little slower "
      "and gets no verdict.");
  connect(m_run, &QAction::triggered, this, &RunController::run);
  connect(m_stop, &QAction::triggered, this,
          [this] { m_session.isRunning() ? stop() : emit stopOtherRequested(); });
  connect(m_copyCommand, &QAction::triggered, this, [this] {
    if (PipelinePage* page = m_front()) copyCommand(*page);
  });
  m_measure.warmupSeconds = settings.value("measure/warmup", 2.0).toDouble();
  m_measure.seconds = settings.value("measure/seconds", 5.0).toDouble();
  m_measure.repeats = std::clamp(settings.value("measure/repeats", 3).toInt(), 1, 1000);
  m_measure.epochs = std::clamp(settings.value("measure/epochs", 0).toInt(), 0, 1000);
  m_measure.cold = settings.value("measure/cold", false).toBool();
  m_measure.ranks = std::clamp(settings.value("measure/ranks", 1).toInt(), 1, 64);
  m_measure.maxFailures = settings.value("measure/failures").toString();
  connect(&m_session, &RunSession::ticked, this, &RunController::showOverlay);
  connect(&m_session, &RunSession::stateChanged, this, &RunController::showState);
  connect(&m_views->advice(), &AdvicePanel::nodeRequested, this, &RunController::nodeRequested);
  connect(&m_views->advice(), &AdvicePanel::longerRequested, this, &RunController::runLonger);
  connect(m_run, &QAction::changed, this, [this] {
    m_views->advice().longerButton().setEnabled(m_run->isEnabled());
    m_views->advice().longerButton().setToolTip(
        m_run->isEnabled() ? "Run for " + shownMeasure(longEnough(m_measure)) : m_run->toolTip());
  });
  connect(&m_views->gpu(), &GpuPanel::gpuHelpRequested, this, &RunController::gpuHelpRequested);
}

RunController::~RunController() = default;

void RunController::buildStrip() {
  m_strip = new QToolBar("Run", &m_window);
  m_strip->setObjectName("run_strip");
  m_strip->setMovable(false);
  m_strip->layout()->setContentsMargins(0, 0, 0, 0);
  m_strip->addWidget(&m_views->strip());
  m_window.addToolBarBreak();
  m_window.addToolBar(m_strip);
  m_strip->hide();
}

void RunController::fillMenu(QMenu& menu) {
  menu.addActions({m_run, m_stop, m_clearQueue});
  menu.addSeparator();
  menu.addMenu(m_measureMenu);
  menu.addActions({m_copyCommand, m_swapDocks});
  fillMeasureMenu();
}

/// The one primary button. The action's own button would show its icon in the colour of text.
QToolButton* RunController::runButton() {
  auto* button = new QToolButton;
  button->setObjectName("run_button");
  button->setProperty("primary", true);
  button->setText("Run");
  button->setIcon(icon("play", Tone::AccentText));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAccessibleName("Run");
  connect(button, &QToolButton::clicked, m_run, &QAction::trigger);
  const auto follow = [this, button] {
    button->setEnabled(m_run->isEnabled());
    button->setToolTip(m_run->toolTip());
  };
  connect(m_run, &QAction::changed, button, follow);
  follow();
  return button;
}

void RunController::fillToolBar(QToolBar& bar) {
  bar.addWidget(runButton());
  bar.addAction(m_stop);
  auto* stop = qobject_cast<QToolButton*>(bar.widgetForAction(m_stop));
  stop->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_measureButton = new QToolButton;
  m_measureButton->setProperty("framed", true);
  m_measureButton->setPopupMode(QToolButton::InstantPopup);
  m_measureButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
  m_measureButton->setMenu(m_measureMenu);
  m_measureButton->setToolTip("How a run is measured");
  bar.addWidget(m_measureButton);
  setMeasure(m_measure);
  buildStrip();
}

void RunController::fillMeasureMenu() {
  m_measureMenu->clear();
  for (const Preset& preset : kPresets) {
    QAction* action =
        m_measureMenu->addAction(QString(preset.name) + ": " + shownMeasure(chosenBy(preset)), this,
                                 [this, &preset] { setMeasure(chosenBy(preset)); });
    action->setCheckable(true);
    action->setChecked(chosenBy(preset) == m_measure);
  }
  m_measureMenu->addSeparator();
  m_measureMenu->addAction("&Other…", this, &RunController::askMeasure);
  m_measureMenu->addAction(m_trace);
  m_measureMenu->addAction(m_copyCommand);
}

void RunController::setMeasure(const MeasureChoice& measure) {
  m_measure = measure;
  m_settings.setValue("measure/warmup", measure.warmupSeconds);
  m_settings.setValue("measure/seconds", measure.seconds);
  m_settings.setValue("measure/repeats", measure.repeats);
  m_settings.setValue("measure/epochs", measure.epochs);
  m_settings.setValue("measure/cold", measure.cold);
  m_settings.setValue("measure/ranks", measure.ranks);
  m_settings.setValue("measure/failures", measure.maxFailures);
  fillMeasureMenu();
  if (m_measureButton != nullptr) m_measureButton->setText(shownMeasure(measure) + " ▾");
}

void RunController::copyCommand(PipelinePage& page) const {
  const Document& document = page.session().document;
  QApplication::clipboard()->setText(commandFor(
      document, [this](const QString& word) { return RunProcess::commandOf(word, m_measure); }));
  page.say(copiedSentence(document));
}

void RunController::askMeasure() {
  if (const auto chosen = MeasureDialog::ask(m_measure, &m_window)) setMeasure(*chosen);
}

WaitingRun RunController::orderOf(PipelinePage& page) const {
  const Document& document = page.session().document;
  WaitingRun run{&page, document.graph(), {}, namesOf(document)};
  run.order.pipeline = document.text();
  run.order.title = document.title();
  run.order.base = document.base();
  run.order.measure = m_measure;
  run.order.store = m_store;
  if (m_trace->isChecked())
    run.order.moreFlags << "--trace" << newTraceFile(m_store, document.title());
  return run;
}

bool RunController::isWaiting(const PipelinePage* page) const {
  return std::ranges::any_of(m_waiting, [page](const WaitingRun& run) { return run.page == page; });
}

void RunController::run() {
  PipelinePage* page = m_front();
  if (page == nullptr || !m_run->isEnabled()) return;
  const bool running = m_session.isRunning();
  if (!running && other().isEmpty()) return begin(orderOf(*page));
  m_waiting.push_back(orderOf(*page));
  page->say(running ? QString("Waiting for the run of %1.").arg(m_session.run().title())
                    : QString("Waiting until %1.").arg(other()));
  showState();
}

void RunController::runLonger() {
  setMeasure(longEnough(m_measure));
  run();
}

void RunController::begin(WaitingRun run) {
  m_runs.begin(*run.page, std::move(run.graph));
  showFront();
  m_runs.forgetReplaced();
  if (run.page == m_front()) showDocks();
  m_session.start(run.order, std::move(run.names));
}

void RunController::goOn() {
  refresh();
  emit statusChanged();
  if (!m_waiting.empty()) QTimer::singleShot(0, this, &RunController::beginNext);
}

void RunController::beginNext() {
  if (!other().isEmpty()) return;
  while (!m_waiting.empty() && !m_session.isRunning()) {
    WaitingRun next = std::move(m_waiting.front());
    m_waiting.erase(m_waiting.begin());
    if (next.page) return begin(std::move(next));  // Otherwise it was closed meanwhile.
  }
  if (!m_session.isRunning()) showState();
}

void RunController::clearQueue() {
  m_waiting.clear();
  showState();
}

bool RunController::differs() const {
  return m_front() != nullptr && m_front() == m_runs.page() && m_runs.differs();
}

void RunController::showOverlay() {
  if (m_runs.page() != nullptr) m_runs.showOn(*m_runs.page());
  if (PipelinePage* page = m_front(); page != nullptr && page != m_runs.page())
    m_runs.showOn(*page);
  emit statusChanged();
}

/// Bar and docks show the run of the document in front; without such a document, the bar shows the
/// current run. If only one document is open, the docks do not show its name, to save room.
void RunController::showFront() {
  PipelinePage* page = m_front();
  const LiveRun* run = m_session.isRunning() ? &m_session.run() : nullptr;
  if (page != nullptr) run = m_runs.runOf(*page);
  m_views->show(run);
  m_strip->setVisible(run != nullptr && !run->isOver());
  const bool isNamed = page != nullptr && m_documents > 1;
  const QString subject = isNamed ? page->session().document.title() : QString();
  for (QDockWidget* dock : m_docks) setDockSubject(*dock, subject);
}

void RunController::showState() {
  if (m_session.run().isOver() && !std::exchange(m_advised, true)) m_advice->take();
  if (m_session.isRunning()) m_advised = false;
  refresh();
  emit statusChanged();
  if (m_session.isRunning()) return;
  if (m_waiting.empty()) return void(emit becameIdle());
  // Not within the end of the run before.
  QTimer::singleShot(0, this, &RunController::beginNext);
}

QString RunController::runTip(PipelinePage* page, const QString& obstacle) const {
  if (!obstacle.isEmpty()) return obstacle.chopped(1);  // No full stop: the keys follow.
  if (isWaiting(page))
    return m_session.isRunning() ? "Waiting for the current run"
                                 : QString("Waiting until %1").arg(other());
  if (m_session.isRunning() && page == m_runs.page())
    return "This pipeline is running; Stop ends it";
  if (!m_session.isRunning() && !other().isEmpty()) return QString("Run when %1").arg(other());
  return m_session.isRunning() ? "Run after the current run" : "Run";
}

void RunController::refresh() {
  PipelinePage* page = m_front();
  const QString obstacle = pageObstacle(page);
  const bool running = m_session.isRunning();
  const bool taken = isWaiting(page) || (running && page == m_runs.page());
  m_run->setEnabled(!taken && obstacle.isEmpty());
  m_stop->setEnabled(running ? !m_session.isStopping() : m_stoppable && m_stoppable());
  m_clearQueue->setEnabled(!m_waiting.empty());
  const auto withKeys = [](QAction& action, const QString& tip) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(keys.isEmpty() ? tip : tip + " (" + keys + ')');
  };
  withKeys(*m_run, runTip(page, obstacle));
  withKeys(*m_stop, m_waiting.empty() ? "Stop" : "Stop this run and begin the next one");
  m_copyCommand->setEnabled(page != nullptr);
  showFront();
  showOverlay();
  m_advice->refresh();
}

QString RunController::statusText() const {
  const LiveRun& run = m_session.run();
  if (!m_session.isRunning() && !m_waiting.empty() && !other().isEmpty())
    return QString("%1 run%2 until %3")
        .arg(m_waiting.size())
        .arg(m_waiting.size() == 1 ? " waits" : "s wait", other());
  if (!m_session.isRunning()) return {};
  const QString others =
      m_waiting.empty() ? QString() : QString("; %1 waiting").arg(m_waiting.size());
  if (differs()) return "Running; the pipeline differs from what is running" + others;
  if (m_session.isStopping()) return "Stopping";
  const bool isInFront = m_front() != nullptr && m_front() == m_runs.page();
  return QString("Running%1: %2 samples read")
             .arg(isInFront ? QString() : ' ' + run.title(),
                  shownNumber(static_cast<std::int64_t>(run.samplesRead()))) +
         others;
}

}  // namespace millrace
