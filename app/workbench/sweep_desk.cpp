// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/sweep_desk.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include "core/graph/graph_edit.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"
#include "widgets/models/node_face.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_page.h"
#include "widgets/sweep/sweep_plot.h"

namespace millrace {

namespace {

constexpr int kNewsMs = 200;

/// The document with the setting, and what that changes in words.
struct Taken {
  Result<Graph> graph = Error{"the setting is the one that is there"};
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
      taken.graph = Error{"`" + axis.name() + "` is not in the pipeline any more"};
      return taken;
    }
    // The stream says 1 where 1.0 was meant.
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

SweepDesk::SweepDesk(QMainWindow& window, QTabWidget& tabs, QSettings& settings, FrontPage front)
    : QObject(&window),
      m_window(window),
      m_tabs(tabs),
      m_settings(settings),
      m_front(std::move(front)),
      m_store(defaultStorePath()),
      m_page(new SweepPage(m_sweep)),
      m_ask(new QAction(icon("sweep"), "S&weep…", this)),
      m_show(new QAction("Show the s&weep", this)) {
  m_ask->setObjectName("action_sweep");
  m_ask->setIconText("Sweep");
  m_ask->setShortcut(QKeySequence("Ctrl+Shift+W"));
  m_show->setObjectName("action_show_sweep");
  m_show->setEnabled(false);
  connect(m_ask, &QAction::triggered, this, [this] { ask(); });
  connect(m_show, &QAction::triggered, this, &SweepDesk::show);
  m_news.setSingleShot(true);
  m_news.setInterval(kNewsMs);
  connect(&m_news, &QTimer::timeout, this, &SweepDesk::showNews);
  connect(&m_job, &EngineJob::told, this, [this](const QJsonObject& event) {
    m_sweep.take(event);
    if (!m_news.isActive()) m_news.start();
  });
  connect(&m_job, &EngineJob::warned, m_page, &SweepPage::say);
  connect(&m_job, &EngineJob::ended, this, &SweepDesk::finish);
  connect(m_page, &SweepPage::stopRequested, this, &SweepDesk::stop);
  connect(m_page, &SweepPage::takeRequested, this, &SweepDesk::take);
  connect(m_page, &SweepPage::goOnRequested, this, [this] {
    if (m_swept) start(*m_swept, m_order, m_sweep.experiment());
  });
  connect(m_page, &SweepPage::commandRequested, this, [this] { copyCommand(m_order, m_swept); });
  connect(m_page, &SweepPage::runsRequested, this,
          [this] { emit runsAsked(m_sweep.experiment()); });
}

SweepDesk::~SweepDesk() { delete m_page; }

void SweepDesk::fillMenu(QMenu& menu) { menu.addActions({m_ask, m_show}); }

void SweepDesk::fillToolBar(QToolBar& bar) {
  bar.addAction(m_ask);
  auto* button = qobject_cast<QToolButton*>(bar.widgetForAction(m_ask));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void SweepDesk::refresh() {
  PipelinePage* page = m_front();
  const bool empty = page == nullptr || page->session().document.graph().nodes.empty();
  m_ask->setEnabled(!empty);
  const QString keys = m_ask->shortcut().toString(QKeySequence::NativeText);
  m_ask->setToolTip("Measure with many settings and find the fastest" +
                    (keys.isEmpty() ? QString() : " (" + keys + ')'));
  if (m_dialog)
    m_dialog->setObstacle(isRunning() ? QString("A sweep goes on. Stop it first.") : obstacle());
  m_page->setTakeObstacle(m_swept ? QString() : QString("Its pipeline was closed: open it again."));
}

SweepOrder SweepDesk::usualOrder() const {
  SweepOrder order;
  order.repeats = std::clamp(m_settings.value("sweep/repeats", 3).toInt(), 1, 1000);
  order.seconds = std::clamp(m_settings.value("sweep/seconds", 5.0).toDouble(), 0.1, 3600.0);
  order.warmupSeconds = std::clamp(m_settings.value("sweep/warmup", 2.0).toDouble(), 0.0, 3600.0);
  return order;
}

void SweepDesk::keepUsual(const SweepOrder& order) {
  m_settings.setValue("sweep/repeats", order.repeats);
  m_settings.setValue("sweep/seconds", order.seconds);
  m_settings.setValue("sweep/warmup", order.warmupSeconds);
}

void SweepDesk::openDialog(PipelinePage& page) {
  Document& document = page.session().document;
  if (m_dialog && &m_dialog->document() == &document) return;
  delete m_dialog;
  m_dialog = new SweepDialog(document, usualOrder(), &m_window);
  // The document goes with its page, and the dialog with it.
  connect(&document, &QObject::destroyed, m_dialog, [dialog = m_dialog] { delete dialog; });
  connect(m_dialog, &SweepDialog::startRequested, this,
          [this, page = QPointer<PipelinePage>(&page)](const SweepOrder& order) {
            keepUsual(order);
            m_dialog->hide();
            if (page) start(*page, order);
          });
  connect(m_dialog, &SweepDialog::commandRequested, this,
          [this, page = QPointer<PipelinePage>(&page)](const SweepOrder& order) {
            copyCommand(order, page);
          });
}

void SweepDesk::ask(const NodeId& node, const std::string& param) {
  PipelinePage* page = m_front();
  if (page == nullptr) return;
  openDialog(*page);
  refresh();
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
  if (!node.empty()) m_dialog->add(node, param);
}

void SweepDesk::start(PipelinePage& page, const SweepOrder& order, const QString& resumed) {
  if (isRunning()) return;
  if (const QString why = obstacle(); !why.isEmpty()) return page.say(why);
  // Another sweep goes on with the document as it was swept.
  const bool again = !resumed.isEmpty() && m_swept == &page && m_sweep.experiment() == resumed;
  const Document& document = page.session().document;
  m_order = order;
  if (!again) {
    m_asked = {"sweep", "The sweep", document.text(), document.title(), document.base(), {}};
    m_swept = &page;
  }
  m_asked.flags = order.flags() + QStringList{"--store", fileText(m_store.file())};
  if (!resumed.isEmpty()) m_asked.flags << "--resume" << resumed;
  m_unfinished.erase(&page);
  m_sweep.begin(m_asked.title);
  m_job.start(m_asked);
  m_show->setEnabled(true);
  show();
  showNews();
  emit stateChanged();
  emit noticesChanged();
}

void SweepDesk::stop() {
  if (!isRunning()) return;
  m_job.stop();
  m_page->showStopping();
}

void SweepDesk::show() {
  if (m_tabs.indexOf(m_page) < 0) {
    emit opening(m_page);
    m_tabs.addTab(m_page, icon("sweep"), "Sweep");
  }
  m_tabs.setCurrentWidget(m_page);
  m_page->plot().setFocus();
}

void SweepDesk::showNews() {
  m_page->refresh();
  if (m_job.isStopping()) m_page->showStopping();
  refresh();
  emit statusChanged();
}

void SweepDesk::finish(const ChildEnd& end) {
  m_sweep.finish(end);
  m_news.stop();
  showNews();
  emit stateChanged();
}

void SweepDesk::take(std::size_t point) {
  if (!m_swept || point >= m_sweep.points().size()) return;
  Document& document = m_swept->session().document;
  Taken taken = takenInto(document, m_sweep.plan(), point);
  if (!taken.graph) {
    m_page->say("Nothing is changed: " + sentence(taken.graph.error().message));
    return;
  }
  const QString changes = taken.changes.join(", ");
  document.edit("Sweep: " + changes, taken.graph.take());
  document.endMerge();
  m_page->say(QString("Taken into %1: %2. Ctrl+Z undoes it.").arg(document.title(), changes));
}

void SweepDesk::copyCommand(const SweepOrder& order, PipelinePage* page) {
  if (page == nullptr) return;
  const Document& document = page->session().document;
  const QString file = document.filePath();
  QApplication::clipboard()->setText(order.command(file.isEmpty() ? document.title() : file));
  const QString caveat =
      document.isModified() ? " It reads the file: save your changes first." : "";
  m_page->say("The command is in the clipboard." + caveat);
}

void SweepDesk::look(PipelinePage& page) {
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
        // What the store cannot say here, it says in the table of runs.
        if (!page || !answer.value || !*answer.value || isRunning()) return;
        m_unfinished.insert_or_assign(page.data(), **answer.value);
        emit noticesChanged();
      });
}

QList<Notice> SweepDesk::notices(PipelinePage* page) {
  const auto found = m_unfinished.find(page);
  if (page == nullptr || found == m_unfinished.end()) return {};
  const UnfinishedSweep& sweep = found->second;
  const auto forget = [this, page] {
    m_unfinished.erase(page);
    emit noticesChanged();
  };
  return {Notice{
      QString("“%1” was not finished: %2 of %3 settings are measured.")
          .arg(sweep.experiment)
          .arg(sweep.measured)
          .arg(sweep.of),
      {{"Go on with it", [this, page, sweep] { start(*page, sweep.order, sweep.experiment); }},
       {"Not now", forget}}}};
}

SweepDialog* SweepDesk::dialog() const { return m_dialog; }

QUndoStack* SweepDesk::undoStackOf(const QWidget* tab) const {
  return tab == m_page && m_swept ? &m_swept->session().document.undoStack() : nullptr;
}

QString SweepDesk::statusWords() const {
  if (!isRunning()) return {};
  if (m_job.isStopping()) return "Stopping the sweep";
  return m_sweep.isKnown() ? QString("Sweeping %1: %2 of %3 trials")
                                 .arg(m_sweep.title())
                                 .arg(m_sweep.done())
                                 .arg(m_sweep.of())
                           : "Sweeping " + m_sweep.title();
}

}  // namespace millrace
