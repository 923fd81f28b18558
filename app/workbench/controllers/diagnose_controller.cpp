// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/diagnose_controller.h"

#include <algorithm>

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include "app/workbench/window/advice_edit_page.h"
#include "app/workbench/window/page_obstacle.h"
#include "app/workbench/window/page_runs.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/common/icons.h"
#include "widgets/common/status_line.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/wait_text.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

DiagnoseController::DiagnoseController(QMainWindow& window, DiagnosisView& view, FrontPage front)
    : QObject(&window),
      m_window(window),
      m_view(view),
      m_front(std::move(front)),
      m_begin(new QAction(icon("search"), "&Diagnose", this)) {
  m_begin->setObjectName("action_diagnose");
  m_begin->setShortcut(QKeySequence("F6"));
  connect(m_begin, &QAction::triggered, this, &DiagnoseController::start);
  m_view.setTexts(
      {[this](const Advice& advice) { return editDescription(advice); },
       [this](const Advice& advice) { return whyNot(advice); },
       [this](const QString& id) { return m_shown ? titleOn(*m_shown, id) : QString(); }});
  connect(&m_view, &DiagnosisView::diagnoseRequested, this, &DiagnoseController::start);
  connect(&m_view, &DiagnosisView::stopRequested, this, &DiagnoseController::stop);
  connect(&m_view, &DiagnosisView::applyRequested, this, &DiagnoseController::apply);
  connect(&m_job, &EngineJob::heard, this, &DiagnoseController::take);
  connect(&m_job, &EngineJob::ended, this, [this](const ChildEnd& end) {
    m_view.showEnd(end);
    announce(end);
    m_page.clear();
    refresh();
    emit statusChanged();
    emit stateChanged();
  });
}

void DiagnoseController::fillMenu(QMenu& menu) { menu.addAction(m_begin); }

void DiagnoseController::refresh() {
  QString why = m_obstacle ? m_obstacle() : QString();
  if (isRunning()) why = "A diagnosis is running.";
  if (why.isEmpty()) why = pageObstacle(m_front());
  const QString keys = m_begin->shortcut().toString(QKeySequence::NativeText);
  m_begin->setEnabled(why.isEmpty());
  m_begin->setToolTip(why.isEmpty() ? "Find out what limits the pipeline, and what to change" +
                                          (keys.isEmpty() ? QString() : " (" + keys + ')')
                                    : why);
  m_view.setObstacle(why);
  showFront();
  m_view.refreshAdvice();
}

DiagnoseController::Diagnosed* DiagnoseController::diagnosedOf(const PipelinePage* page) {
  const auto found = std::ranges::find_if(
      m_diagnosed, [page](const Diagnosed& each) { return each.page.data() == page; });
  return page == nullptr || found == m_diagnosed.end() ? nullptr : &*found;
}

/// Shows the report of the document in front. Tabs without a document keep the last one: they hide
/// the dock.
void DiagnoseController::showFront() {
  std::erase_if(m_diagnosed, [](const Diagnosed& each) { return each.page.isNull(); });
  PipelinePage* page = m_front();
  if (page != nullptr && page != m_shown) {
    m_shown = page;
    const Diagnosed* diagnosed = diagnosedOf(page);
    if (diagnosed != nullptr && diagnosed->report)
      m_view.showReport(*diagnosed->report, diagnosed->title);
    else
      m_view.forgetReport();
    if (Diagnosed* own = diagnosedOf(page); own != nullptr && !own->news.isEmpty())
      page->say(std::exchange(own->news, {}));
  }
  m_view.setStale(whyStale());
}

/// Reports on the page of a diagnosis that it has ended. While another page is in front, the status
/// line reports it, and the page itself once it is back.
void DiagnoseController::announce(const ChildEnd& end) {
  Diagnosed* diagnosed = diagnosedOf(m_page);
  m_news.reset();
  if (diagnosed == nullptr || end.kind == ChildEnd::Kind::Stopped) return;
  QString found = end.sentence;
  if (diagnosed->report)
    found = windowWords(diagnosed->report->headline(),
                        [this](const QString& id) { return titleOn(*m_page, id); }) +
            '.';
  if (!runsAlike(diagnosed->graph, m_page->session().document.graph()))
    found += " It is of the pipeline before your changes.";
  m_news =
      News{"The diagnosis of " + m_title + (diagnosed->report ? " is over" : " has failed"), found};
  const QString news = m_news->title + ". " + m_news->text;
  if (m_front() == m_page) return m_page->say(news);
  diagnosed->news = news;
  showInStatusLine(m_window, news);
}

QString DiagnoseController::whyStale() const {
  if (!m_shown) return {};
  for (const Diagnosed& each : m_diagnosed)
    if (each.page == m_shown && each.report &&
        !runsAlike(each.graph, m_shown->session().document.graph()))
      return "The pipeline has changed since this diagnosis. Diagnose again before applying "
             "advice.";
  return {};
}

void DiagnoseController::start() {
  PipelinePage* page = m_front();
  if (page == nullptr || !m_begin->isEnabled()) return;
  const Document& document = page->session().document;
  m_page = page;
  m_shown = page;
  m_title = document.title();
  m_diagnosed.remove_if([page](const Diagnosed& each) { return each.page == page; });
  m_diagnosed.push_back({page, document.graph(), m_title, {}, {}});
  if (auto* dock = m_window.findChild<QDockWidget*>("run_advice")) {
    dock->show();
    dock->raise();
  }
  m_view.showBegun();
  m_step = {};
  const QStringList store = m_store.isEmpty() ? QStringList() : QStringList{"--store", m_store};
  m_job.start({"diagnose", "The diagnosis", document.text(), m_title, document.base(), store});
  refresh();
  emit statusChanged();
  emit stateChanged();
}

void DiagnoseController::stop() {
  if (!isRunning()) return;
  m_job.stop();
  m_view.showStopping();
}

void DiagnoseController::take(const StreamEvent& event) {
  const auto* progress = std::get_if<ProgressEvent>(&event.content);
  const auto* waiting = std::get_if<WaitingEvent>(&event.content);
  if (progress != nullptr) m_step = *progress;
  if ((progress != nullptr || waiting != nullptr) && !m_job.isStopping()) {
    const QString wait = waiting != nullptr ? waitText(waiting->phase.secondsLeft) : QString();
    m_view.showProgress(static_cast<int>(m_step.done), static_cast<int>(m_step.of),
                        m_step.secondsLeft.value_or(-1), wait.isEmpty() ? toQt(m_step.what) : wait);
  }
  if (const auto* result = std::get_if<ResultEvent>(&event.content))
    if (const auto report = diagnosisOf(result->json)) {
      if (Diagnosed* diagnosed = diagnosedOf(m_page)) diagnosed->report = report;
      if (m_page && m_shown == m_page) m_view.showReport(*report, m_title);
      refresh();
    }
}

QString DiagnoseController::editDescription(const Advice& advice) const {
  return m_shown ? changeText(*m_shown, advice) : toQt(advice.editText());
}

QString DiagnoseController::whyNot(const Advice& advice) const {
  if (!m_shown) return "The pipeline was closed. Open it again.";
  const QString why = whyNoChange(*m_shown, advice);
  return why.isEmpty() ? whyStale() : why;
}

void DiagnoseController::apply(const Advice& advice) {
  // The view may still show the report of a document that is no longer in front.
  if (!m_shown || m_front() != m_shown || !whyNot(advice).isEmpty()) return;
  const QString change = editDescription(advice);
  const Diagnosed* diagnosed = diagnosedOf(m_shown);
  std::optional<RatePrediction> predicted;
  if (diagnosed != nullptr && diagnosed->report)
    for (const DiagnosisReport::Advised& each : diagnosed->report->advice)
      if (each.advice.editText() == advice.editText()) predicted = each.predicted;
  if (makeChange(*m_shown, advice)) emit applied(m_shown, change, predicted);
  refresh();
}

QString DiagnoseController::statusText() const {
  if (!isRunning()) return {};
  return m_job.isStopping() ? QString("Stopping the diagnosis") : "Diagnosing " + m_title;
}

std::optional<double> DiagnoseController::progress() const {
  if (m_step.of == 0) return std::nullopt;
  return static_cast<double>(m_step.done) / static_cast<double>(m_step.of);
}

}  // namespace millrace
