// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/tune_desk.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>

#include "core/store/run_store.h"
#include "core/tune/advice_edit.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/advice_edits.h"
#include "widgets/tune/tune_dialog.h"
#include "widgets/tune/tune_page.h"
#include "widgets/tune/tune_plot.h"

namespace millrace {

namespace {

constexpr int kNewsMs = 200;
// A trial that is stopped has three seconds, and the outcome is written then.
constexpr EngineChild::Patience kPatience{8000, 4000};

/// The document with all edits of a setting.
Result<Graph> edited(const Document& document, const std::vector<Advice>& edits) {
  Result<Graph> graph = document.graph();
  for (const Advice& edit : edits)
    if (graph) graph = applyAdvice(graph.take(), document.catalog(), edit);
  if (graph && *graph == document.graph()) return Error{"the pipeline has these settings already"};
  return graph;
}

}  // namespace

TuneDesk::TuneDesk(QMainWindow& window, QTabWidget& tabs, QSettings& settings, FrontPage front)
    : QObject(&window),
      m_window(window),
      m_tabs(tabs),
      m_settings(settings),
      m_front(std::move(front)),
      m_store(defaultStorePath()),
      m_page(new TunePage(m_tune)),
      m_ask(new QAction(icon("tune"), "&Tune: find the best settings…", this)),
      m_show(new QAction("Show the tunin&g", this)) {
  m_ask->setObjectName("action_tune");
  m_ask->setShortcut(QKeySequence("Ctrl+Shift+T"));
  m_show->setObjectName("action_show_tune");
  m_show->setEnabled(false);
  connect(m_ask, &QAction::triggered, this, &TuneDesk::ask);
  connect(m_show, &QAction::triggered, this, &TuneDesk::show);
  m_news.setSingleShot(true);
  m_news.setInterval(kNewsMs);
  connect(&m_news, &QTimer::timeout, this, &TuneDesk::showNews);
  m_job.setPatience(kPatience);
  connect(&m_job, &EngineJob::told, this, [this](const QJsonObject& event) {
    m_tune.take(event);
    if (!m_news.isActive()) m_news.start();
  });
  connect(&m_job, &EngineJob::warned, m_page, &TunePage::say);
  connect(&m_job, &EngineJob::ended, this, &TuneDesk::finish);
  connect(m_page, &TunePage::stopRequested, this, &TuneDesk::stop);
  connect(m_page, &TunePage::takeRequested, this, &TuneDesk::take);
  connect(m_page, &TunePage::commandRequested, this, [this] { copyCommand(m_order, m_tuned); });
  connect(m_page, &TunePage::runsRequested, this, [this] { emit runsAsked(m_tune.experiment()); });
  m_page->setWords([this](const Advice& edit) {
    if (!m_tuned) return toQt(edit.editText());
    const Document& document = m_tuned->session().document;
    return shownEdit(document.graph(), document.catalog(), edit);
  });
}

TuneDesk::~TuneDesk() { delete m_page; }

void TuneDesk::fillMenu(QMenu& menu) { menu.addActions({m_ask, m_show}); }

void TuneDesk::refresh() {
  PipelinePage* page = m_front();
  m_ask->setEnabled(page != nullptr && !page->session().document.graph().nodes.empty());
  if (m_dialog)
    m_dialog->setObstacle(isRunning() ? QString("A tuning goes on. Stop it first.") : obstacle());
  m_page->setTakeObstacle(m_tuned ? QString() : QString("Its pipeline was closed: open it again."));
}

TuneOrder TuneDesk::usualOrder() const {
  TuneOrder order;
  order.budgetSeconds = std::clamp(m_settings.value("tune/budget", 120.0).toDouble(), 5.0, 86400.0);
  order.memoryBytes = std::max<qint64>(0, m_settings.value("tune/memory", 0).toLongLong());
  return order;
}

void TuneDesk::keepUsual(const TuneOrder& order) {
  m_settings.setValue("tune/budget", order.budgetSeconds);
  m_settings.setValue("tune/memory", static_cast<qlonglong>(order.memoryBytes));
}

void TuneDesk::openDialog(PipelinePage& page) {
  Document& document = page.session().document;
  if (m_dialog && &m_dialog->document() == &document) return;
  delete m_dialog;
  m_dialog = new TuneDialog(document, usualOrder(), &m_window);
  // The document goes with its page, and the dialog with it.
  connect(&document, &QObject::destroyed, m_dialog, [dialog = m_dialog] { delete dialog; });
  const QPointer<PipelinePage> asked(&page);
  connect(m_dialog, &TuneDialog::startRequested, this, [this, asked](const TuneOrder& order) {
    keepUsual(order);
    m_dialog->hide();
    if (asked) start(*asked, order);
  });
  connect(m_dialog, &TuneDialog::commandRequested, this,
          [this, asked](const TuneOrder& order) { copyCommand(order, asked); });
}

void TuneDesk::ask() {
  PipelinePage* page = m_front();
  if (page == nullptr) return;
  openDialog(*page);
  refresh();
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
}

void TuneDesk::start(PipelinePage& page, const TuneOrder& order) {
  if (isRunning()) return;
  if (const QString why = obstacle(); !why.isEmpty()) return page.say(why);
  const Document& document = page.session().document;
  m_order = order;
  m_tuned = &page;
  m_tune.begin(document.title(), order.budgetSeconds);
  m_page->say({});
  m_page->plot().setChosen({});
  m_job.start({"tune", "The tuning", document.text(), document.title(), document.base(),
               order.flags() + QStringList{"--store", fileText(m_store)}});
  m_show->setEnabled(true);
  show();
  showNews();
  emit stateChanged();
}

void TuneDesk::stop() {
  if (!isRunning()) return;
  m_job.stop();
  m_page->showStopping();
}

void TuneDesk::show() {
  if (m_tabs.indexOf(m_page) < 0) {
    emit opening(m_page);
    m_tabs.addTab(m_page, icon("tune"), "Tuning");
  }
  m_tabs.setCurrentWidget(m_page);
  m_page->plot().setFocus();
}

void TuneDesk::showNews() {
  m_page->refresh();
  if (m_job.isStopping()) m_page->showStopping();
  refresh();
  emit statusChanged();
}

void TuneDesk::finish(const ChildEnd& end) {
  m_tune.finish(end);
  m_news.stop();
  showNews();
  emit stateChanged();
}

void TuneDesk::take(std::size_t trial) {
  if (!m_tuned || trial >= m_tune.trials().size()) return;
  Document& document = m_tuned->session().document;
  const std::vector<Advice>& edits = m_tune.trials()[trial].edits;
  QStringList changes;
  for (const Advice& edit : edits) changes << shownEdit(document.graph(), document.catalog(), edit);
  Result<Graph> graph = edited(document, edits);
  if (!graph) return m_page->say("Nothing is changed: " + sentence(graph.error().message));
  const QString words = changes.join(", ");
  document.edit("Tuning: " + words, graph.take());
  document.endMerge();
  m_page->say(QString("Taken into %1: %2. Ctrl+Z undoes it.").arg(document.title(), words));
}

void TuneDesk::copyCommand(const TuneOrder& order, PipelinePage* page) {
  if (page == nullptr) return;
  const Document& document = page->session().document;
  const QString file = document.filePath();
  QApplication::clipboard()->setText(order.command(file.isEmpty() ? document.title() : file));
  const QString caveat =
      document.isModified() ? " It reads the file: save your changes first." : "";
  m_page->say("The command is in the clipboard." + caveat);
}

TuneDialog* TuneDesk::dialog() const { return m_dialog; }

QUndoStack* TuneDesk::undoStackOf(const QWidget* tab) const {
  return tab == m_page && m_tuned ? &m_tuned->session().document.undoStack() : nullptr;
}

QString TuneDesk::statusWords() const {
  if (!isRunning()) return {};
  if (m_job.isStopping()) return "Stopping the tuning";
  return "Tuning " + m_tune.title();
}

}  // namespace millrace
