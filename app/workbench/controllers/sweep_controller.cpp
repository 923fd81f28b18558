// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/sweep_controller.h"

#include <QAction>
#include <QMainWindow>
#include <QSettings>
#include <QToolBar>
#include <QToolButton>

#include "core/graph/edit/graph_edit.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_page.h"
#include "widgets/sweep/sweep_plot.h"

namespace millrace {

namespace {

/// The document with a setting applied, and a description of the changes.
struct Taken {
  Result<Graph> graph = Error{"the pipeline already has this setting"};
  QStringList changes;  ///< "Workers › Threads 2 → 4"
};

Taken takenInto(const Document& document, const SweepPlan& plan, std::size_t point) {
  Taken taken;
  Graph graph = document.graph();
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const SweepAxis& axis = plan.axes[a];
    const GraphNode* node = graph.node(axis.node);
    const NodeSpec* kind = document.specOf(axis.node);
    const ParamSpec* spec = kind == nullptr ? nullptr : kind->param(axis.param);
    if (node == nullptr || spec == nullptr) {
      taken.graph = Error{"`" + axis.name() + "` is no longer in the pipeline"};
      return taken;
    }
    // The event stream writes 1 for 1.0.
    const Result<Value> value = convertValue(spec->type, plan.points[point].values[a]);
    if (!value) return {value.error(), {}};
    const Value before = valueOf(*node, *spec);
    if (before == *value) continue;
    taken.changes << QString("%1 › %2 %3 → %4")
                         .arg(titleOf(*node, kind), toQt(spec->label), shownValue(*spec, before),
                              shownValue(*spec, *value));
    Result<Graph> edited =
        setParameter(std::move(graph), document.catalog(), axis.node, axis.param, *value);
    if (!edited) return {edited.error(), {}};
    graph = edited.take();
  }
  if (!taken.changes.isEmpty()) taken.graph = std::move(graph);
  return taken;
}

}  // namespace

SweepController::SweepController(const Place& place)
    : SearchController(place,
                       {"sweep", "sweep", "Sweep", "S&weep…", "S&how the sweep", "Ctrl+Shift+W"}),
      m_store(defaultStorePath()),
      m_page(new SweepPage(m_sweep)) {
  askAction().setIconText("Sweep");
  connect(&askAction(), &QAction::triggered, this, [this] { ask(); });
  connect(m_page, &SweepPage::stopRequested, this, &SweepController::stop);
  connect(m_page, &SweepPage::takeRequested, this, &SweepController::take);
  connect(m_page, &SweepPage::goOnRequested, this, [this] {
    if (searched() != nullptr) start(*searched(), m_order, m_sweep.experiment());
  });
  connect(m_page, &SweepPage::commandRequested, this, [this] { copy(m_order, searched()); });
  connect(m_page, &SweepPage::runsRequested, this,
          [this] { emit runsRequested(m_sweep.experiment()); });
}

SweepController::~SweepController() { delete m_page; }

QWidget& SweepController::view() { return *m_page; }

QWidget& SweepController::plot() { return m_page->plot(); }

void SweepController::say(const QString& sentence) { m_page->say(sentence); }

void SweepController::showNewsInView(bool stopping) {
  m_page->refresh();
  if (stopping) m_page->showStopping();
}

void SweepController::setObstacles(const QString& begin, const QString& take) {
  if (m_dialog) m_dialog->setObstacle(begin);
  m_page->setTakeObstacle(take);
}

void SweepController::fillToolBar(QToolBar& bar) {
  bar.addAction(&askAction());
  auto* button = qobject_cast<QToolButton*>(bar.widgetForAction(&askAction()));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void SweepController::refresh() {
  SearchController::refresh();
  const QString keys = askAction().shortcut().toString(QKeySequence::NativeText);
  askAction().setToolTip("Measure with many settings and find the fastest" +
                         (keys.isEmpty() ? QString() : " (" + keys + ')'));
}

SweepOrder SweepController::usualOrder() const {
  SweepOrder order;
  order.repeats = std::clamp(place().settings.value("sweep/repeats", 3).toInt(), 1, 1000);
  order.seconds = std::clamp(place().settings.value("sweep/seconds", 5.0).toDouble(), 0.1, 3600.0);
  order.warmupSeconds =
      std::clamp(place().settings.value("sweep/warmup", 2.0).toDouble(), 0.0, 3600.0);
  return order;
}

void SweepController::keepUsual(const SweepOrder& order) {
  place().settings.setValue("sweep/repeats", order.repeats);
  place().settings.setValue("sweep/seconds", order.seconds);
  place().settings.setValue("sweep/warmup", order.warmupSeconds);
}

void SweepController::openDialog(PipelinePage& page) {
  Document& document = page.session().document;
  if (m_dialog && &m_dialog->document() == &document) return;
  delete m_dialog;
  m_dialog = new SweepDialog(document, usualOrder(), &place().window);
  // The document is deleted with its page, and the dialog with it.
  connect(&document, &QObject::destroyed, m_dialog, [dialog = m_dialog] { delete dialog; });
  connect(m_dialog, &SweepDialog::startRequested, this,
          [this, page = QPointer<PipelinePage>(&page)](const SweepOrder& order) {
            keepUsual(order);
            m_dialog->hide();
            if (page) start(*page, order);
          });
  connect(
      m_dialog, &SweepDialog::commandRequested, this,
      [this, page = QPointer<PipelinePage>(&page)](const SweepOrder& order) { copy(order, page); });
}

void SweepController::ask(const NodeId& node, const std::string& param) {
  PipelinePage* page = front();
  if (page == nullptr) return;
  openDialog(*page);
  present(*m_dialog, *page);
  if (!node.empty()) m_dialog->add(node, param);
}

void SweepController::start(PipelinePage& page, const SweepOrder& order, const QString& resumed) {
  if (!mayBegin(page)) return;
  // A sweep is continued with the document that it was started with.
  const bool again = !resumed.isEmpty() && searched() == &page && m_sweep.experiment() == resumed;
  const Document& document = page.session().document;
  m_order = order;
  if (!again)
    m_asked = {"sweep", "The sweep", document.text(), document.title(), document.base(), {}};
  m_asked.flags = order.flags() + QStringList{"--store", fileText(m_store.file())};
  if (!resumed.isEmpty()) m_asked.flags << "--resume" << resumed;
  m_unfinished.erase(&page);
  m_sweep.begin(m_asked.title, SettingNames(document.graph(), document.catalog()));
  begin(page, m_asked);
  emit noticesChanged();
}

void SweepController::take(std::size_t point) {
  if (searched() == nullptr || point >= m_sweep.points().size()) return;
  Taken taken = takenInto(searched()->session().document, m_sweep.plan(), point);
  takeIn(std::move(taken.graph), taken.changes);
}

void SweepController::copy(const SweepOrder& order, PipelinePage* page) {
  copyCommand(page, [&](const QString& file) { return order.command(file); });
}

void SweepController::findUnfinished(PipelinePage& page) {
  const Document& document = page.session().document;
  m_unfinished.erase(&page);
  if (document.graph().nodes.empty()) return;
  using Found = std::optional<UnfinishedSweep>;
  m_store.ask<Found>(
      &page, {},
      [graph = withAbsolutePaths(document.graph(), document.catalog(), document.base()),
       &catalog = document.catalog()](RunStore& store) {
        return unfinishedSweep(store, graph, catalog);
      },
      [this, page = QPointer<PipelinePage>(&page)](const StoreAnswer<Found>& answer) {
        // Errors of the store are shown in the table of runs.
        if (!page || !answer.value || !*answer.value || isRunning()) return;
        m_unfinished.insert_or_assign(page.data(), **answer.value);
        emit noticesChanged();
      });
}

QList<Notice> SweepController::notices(PipelinePage* page) {
  const auto found = m_unfinished.find(page);
  if (page == nullptr || found == m_unfinished.end()) return {};
  const UnfinishedSweep& sweep = found->second;
  const auto forget = [this, page] {
    m_unfinished.erase(page);
    emit noticesChanged();
  };
  return {
      Notice{QString("“%1” is unfinished: %2 of %3 settings are measured.")
                 .arg(sweep.experiment)
                 .arg(sweep.measured)
                 .arg(sweep.of),
             {{"Continue it", [this, page, sweep] { start(*page, sweep.order, sweep.experiment); }},
              {"Not now", forget}}}};
}

SweepDialog* SweepController::dialog() const { return m_dialog; }

QString SweepController::goingText() const {
  return m_sweep.isKnown() ? QString("Sweeping %1: %2 of %3 trials")
                                 .arg(m_sweep.title())
                                 .arg(m_sweep.done())
                                 .arg(m_sweep.of())
                           : "Sweeping " + m_sweep.title();
}

}  // namespace millrace
