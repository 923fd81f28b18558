// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/search_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QMainWindow>
#include <QMenu>
#include <QTabWidget>

#include "app/workbench/window/page_obstacle.h"
#include "widgets/canvas/editor/drawn_edit.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/document_command.h"

namespace millrace {

namespace {

constexpr int kNewsMs = 200;

}  // namespace

SearchController::SearchController(const Place& place, Names names)
    : QObject(&place.window),
      m_place(place),
      m_names(std::move(names)),
      m_ask(new QAction(icon(m_names.name), m_names.ask, this)),
      m_show(new QAction(m_names.show, this)) {
  m_ask->setObjectName(QString("action_") + m_names.name);
  m_ask->setShortcut(QKeySequence(m_names.keys));
  m_show->setObjectName(QString("action_show_") + m_names.name);
  m_show->setEnabled(false);
  connect(m_show, &QAction::triggered, this, &SearchController::show);
  m_news.setSingleShot(true);
  m_news.setInterval(kNewsMs);
  connect(&m_news, &QTimer::timeout, this, &SearchController::showNews);
  connect(&m_job, &EngineJob::heard, this, [this](const StreamEvent& event) {
    takeEvent(event);
    if (!m_news.isActive()) m_news.start();
  });
  connect(&m_job, &EngineJob::warned, this, [this](const QString& warning) { say(warning); });
  connect(&m_job, &EngineJob::ended, this, &SearchController::finish);
}

void SearchController::fillMenu(QMenu& menu) { menu.addActions({m_ask, m_show}); }

void SearchController::refresh() {
  PipelinePage* page = front();
  m_ask->setEnabled(page != nullptr && !page->session().document.graph().nodes.empty());
  const QString why = isRunning() ? QString("A %1 is running. Stop it first.").arg(m_names.noun)
                                  : whyNot(m_presented);
  setObstacles(why, m_searched ? QString() : QString("Its pipeline was closed. Open it again."));
}

PipelinePage* SearchController::front() {
  return m_place.tabs.currentWidget() == &view() ? m_searched.data() : m_place.front();
}

QString SearchController::whyNot(PipelinePage* page) const {
  const QString why = m_obstacle ? m_obstacle() : QString();
  return why.isEmpty() ? obstacleOf(page) : why;
}

QString SearchController::obstacleOf(PipelinePage* page) const { return pageObstacle(page); }

bool SearchController::mayBegin(PipelinePage& page) const {
  if (isRunning()) return false;
  const QString why = whyNot(&page);
  if (!why.isEmpty()) page.warn(why);
  return why.isEmpty();
}

void SearchController::begin(PipelinePage& page, const JobOrder& order) {
  m_searched = &page;
  begin(order);
}

void SearchController::begin(const JobOrder& order) {
  m_job.start(order);
  m_show->setEnabled(true);
  show();
  showNews();
  emit stateChanged();
}

void SearchController::stop() {
  if (!isRunning()) return;
  m_job.stop();
  showNewsInView(true);
}

void SearchController::present(QDialog& dialog, PipelinePage& page) {
  m_presented = &page;
  refresh();
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

void SearchController::show() {
  if (m_place.tabs.indexOf(&view()) < 0) {
    emit opening(&view());
    m_place.tabs.addTab(&view(), icon(m_names.name), m_names.tab);
  }
  m_place.tabs.setCurrentWidget(&view());
  plot().setFocus();
}

void SearchController::showNews() {
  showNewsInView(m_job.isStopping());
  refresh();
  emit statusChanged();
}

void SearchController::finish(const ChildEnd& end) {
  takeEnd(end);
  m_news.stop();
  showNews();
  emit stateChanged();
}

void SearchController::takeIn(Result<Graph> graph, const QStringList& changes) {
  if (!graph) return say("Nothing was changed: " + sentence(graph.error().message));
  Document& document = m_searched->session().document;
  const QString words = changes.join(", ");
  document.edit(m_names.tab + ": " + words, drawnEdit(m_searched->session(), graph.take()));
  document.endMerge();
  sayApplied(QString("Applied to %1: %2. Ctrl+Z undoes it.").arg(document.title(), words));
}

void SearchController::sayApplied(const QString& words) {
  say(words);
  // Once it is undone, the sentence is no longer true.
  QUndoStack& stack = m_searched->session().document.undoStack();
  disconnect(m_applied);
  m_applied =
      connect(&stack, &QUndoStack::indexChanged, this, [this, applied = stack.index()](int index) {
        if (index >= applied) return;
        say({});
        disconnect(m_applied);
      });
}

void SearchController::copyCommand(PipelinePage* page,
                                   const std::function<QString(QString)>& commandOf) {
  if (page == nullptr) return;
  const Document& document = page->session().document;
  QApplication::clipboard()->setText(commandFor(document, commandOf));
  say(copiedSentence(document));
}

QUndoStack* SearchController::undoStackOf(const QWidget* tab) {
  return tab == &view() && m_searched ? &m_searched->session().document.undoStack() : nullptr;
}

QString SearchController::statusText() const {
  if (!isRunning()) return {};
  return m_job.isStopping() ? "Stopping the " + m_names.noun : goingText();
}

}  // namespace millrace
