// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/search_desk.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QMainWindow>
#include <QMenu>
#include <QTabWidget>

#include "app/workbench/page_obstacle.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kNewsMs = 200;

}  // namespace

SearchDesk::SearchDesk(const Place& place, Names names)
    : QObject(&place.window),
      m_place(place),
      m_names(std::move(names)),
      m_ask(new QAction(icon(m_names.name), m_names.ask, this)),
      m_show(new QAction(m_names.show, this)) {
  m_ask->setObjectName(QString("action_") + m_names.name);
  m_ask->setShortcut(QKeySequence(m_names.keys));
  m_show->setObjectName(QString("action_show_") + m_names.name);
  m_show->setEnabled(false);
  connect(m_show, &QAction::triggered, this, &SearchDesk::show);
  m_news.setSingleShot(true);
  m_news.setInterval(kNewsMs);
  connect(&m_news, &QTimer::timeout, this, &SearchDesk::showNews);
  connect(&m_job, &EngineJob::told, this, [this](const QJsonObject& event) {
    takeEvent(event);
    if (!m_news.isActive()) m_news.start();
  });
  connect(&m_job, &EngineJob::warned, this, [this](const QString& warning) { say(warning); });
  connect(&m_job, &EngineJob::ended, this, &SearchDesk::finish);
}

void SearchDesk::fillMenu(QMenu& menu) { menu.addActions({m_ask, m_show}); }

void SearchDesk::refresh() {
  PipelinePage* page = front();
  m_ask->setEnabled(page != nullptr && !page->session().document.graph().nodes.empty());
  const QString why =
      isRunning() ? QString("A %1 goes on. Stop it first.").arg(m_names.noun) : whyNot(m_presented);
  setObstacles(why, m_searched ? QString() : QString("Its pipeline was closed: open it again."));
}

QString SearchDesk::whyNot(PipelinePage* page) const {
  const QString why = m_obstacle ? m_obstacle() : QString();
  return why.isEmpty() ? pageObstacle(page) : why;
}

bool SearchDesk::mayBegin(PipelinePage& page) const {
  if (isRunning()) return false;
  const QString why = whyNot(&page);
  if (!why.isEmpty()) page.warn(why);
  return why.isEmpty();
}

void SearchDesk::begin(PipelinePage& page, const JobOrder& order) {
  m_searched = &page;
  m_job.start(order);
  m_show->setEnabled(true);
  show();
  showNews();
  emit stateChanged();
}

void SearchDesk::stop() {
  if (!isRunning()) return;
  m_job.stop();
  showNewsInView(true);
}

void SearchDesk::present(QDialog& dialog, PipelinePage& page) {
  m_presented = &page;
  refresh();
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

void SearchDesk::show() {
  if (m_place.tabs.indexOf(&view()) < 0) {
    emit opening(&view());
    m_place.tabs.addTab(&view(), icon(m_names.name), m_names.tab);
  }
  m_place.tabs.setCurrentWidget(&view());
  plot().setFocus();
}

void SearchDesk::showNews() {
  showNewsInView(m_job.isStopping());
  refresh();
  emit statusChanged();
}

void SearchDesk::finish(const ChildEnd& end) {
  takeEnd(end);
  m_news.stop();
  showNews();
  emit stateChanged();
}

void SearchDesk::takeIn(Result<Graph> graph, const QStringList& changes) {
  if (!graph) return say("Nothing is changed: " + sentence(graph.error().message));
  Document& document = m_searched->session().document;
  const QString words = changes.join(", ");
  document.edit(m_names.tab + ": " + words, graph.take());
  document.endMerge();
  say(QString("Taken into %1: %2. Ctrl+Z undoes it.").arg(document.title(), words));
}

void SearchDesk::copyCommand(PipelinePage* page, const std::function<QString(QString)>& commandOf) {
  if (page == nullptr) return;
  const Document& document = page->session().document;
  const QString file = document.filePath();
  QApplication::clipboard()->setText(commandOf(file.isEmpty() ? document.title() : file));
  const QString caveat =
      document.isModified() ? " It reads the file: save your changes first." : "";
  say("The command is in the clipboard." + caveat);
}

QUndoStack* SearchDesk::undoStackOf(const QWidget* tab) {
  return tab == &view() && m_searched ? &m_searched->session().document.undoStack() : nullptr;
}

QString SearchDesk::statusWords() const {
  if (!isRunning()) return {};
  return m_job.isStopping() ? "Stopping the " + m_names.noun : goingWords();
}

}  // namespace millrace
