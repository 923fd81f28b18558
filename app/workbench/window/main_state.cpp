// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What MainWindow shows of the page in front: title, status line, enabled actions, problems.
#include <algorithm>
#include <utility>

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/preview_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/status_note.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/panels/outline_panel.h"
#include "widgets/panels/problems_panel.h"

namespace millrace {

namespace {

constexpr int kProblemsWidth = 285;

/// The titles of documents on their tabs: equal ones get their folder, or a number if they have no
/// file.
QStringList tabTitles(const QList<const Document*>& documents) {
  QStringList titles;
  for (const Document* document : documents) titles << document->title();
  const QStringList plain = titles;
  for (qsizetype i = 0; i < titles.size(); ++i) {
    if (plain.count(plain[i]) == 1) continue;
    const QString& file = documents[i]->filePath();
    const qsizetype before = plain.first(i).count(plain[i]);
    if (!file.isEmpty())
      titles[i] += QString(" (%1)").arg(QFileInfo(file).dir().dirName());
    else if (before > 0)
      titles[i] += QString(" (%1)").arg(before + 1);
  }
  return titles;
}

}  // namespace

void MainWindow::showPage() {
  for (const auto& connection : m_pageConnections) disconnect(connection);
  m_pageConnections.clear();
  PipelinePage* page = this->page();
  EditSession* session = page == nullptr ? nullptr : &page->session();
  m_inspector->setSession(session);
  m_outline->setSession(session);
  m_problems->setSession(session);
  m_previews->setSession(session);
  m_data->refresh();
  showNotices();
  if (session == nullptr) {
    const QWidget* front = m_tabs->currentWidget();
    QUndoStack* stack = nullptr;
    for (SearchController* search : searches())
      if (stack == nullptr) stack = search->undoStackOf(front);
    m_undo.setActiveStack(stack != nullptr ? stack : m_runs->undoStackOf(front));
    refreshState();
    for (QAction* action : m_pageActions) action->setEnabled(false);
    m_selected->clear();
    setWindowTitle(m_tabs->tabText(m_tabs->currentIndex()) + " · Millrace");
    setWindowModified(false);
    refreshReady();
    return;
  }
  for (QAction* action : m_pageActions) action->setEnabled(true);
  m_undo.setActiveStack(&session->document.undoStack());
  m_pageConnections = {
      connect(&session->document, &Document::stateChanged, this, &MainWindow::refreshState),
      connect(&session->document, &Document::changed, this, &MainWindow::refreshActions),
      connect(&session->selection, &Selection::changed, this, &MainWindow::refreshActions),
      connect(&session->selection, &Selection::changed, this, &MainWindow::showWhatItDid),
      connect(&session->check, &BackgroundCheck::finished, this, &MainWindow::refreshState),
      connect(&session->check, &BackgroundCheck::finished, this, &MainWindow::refreshActions),
  };
  refreshState();
  refreshActions();
  page->view().setFocus();
}

void MainWindow::refreshState() {
  m_start->refresh();
  QList<const Document*> documents;
  QList<int> tabs;
  for (int i = 0; i < m_tabs->count(); ++i) {
    PipelinePage* page = pageAt(i);
    if (page == nullptr) continue;
    documents << &page->session().document;
    tabs << i;
  }
  const QStringList titles = tabTitles(documents);
  for (qsizetype i = 0; i < tabs.size(); ++i) {
    m_tabs->setTabText(tabs[i], titles[i] + (documents[i]->isModified() ? " •" : ""));
    m_tabs->setTabToolTip(tabs[i], documents[i]->filePath());
  }
  m_controller->setDocuments(static_cast<int>(documents.size()));
  m_controller->refresh();
  for (SearchController* search : searches()) search->refresh();
  m_diagnoses->refresh();
  refreshDockActions();
  action("close_others")->setEnabled(m_tabs->count() > 1);
  foldProblems();
  if (page() == nullptr) return;
  setWindowTitle(m_start->isShown() ? QString("Millrace")
                                    : page()->session().document.title() + "[*] · Millrace");
  setWindowModified(page()->session().document.isModified());
  const int count = page()->session().problems.problems();
  m_problemsDock->setWindowTitle(count == 0 ? QString("Problems")
                                            : QString("Problems · %1").arg(count));
  refreshReady();
}

void MainWindow::refreshReady() {
  QString sweeping = m_diagnoses->statusText();
  for (const SearchController* search : searches()) sweeping += search->statusText();
  if (page() == nullptr) {
    m_ready->setIcon(sweeping.isEmpty() ? "" : "play");
    m_ready->setText(sweeping.isEmpty() ? m_runs->statusText() : sweeping);
    return;
  }
  const int errors = page()->session().check.errors();
  const int warnings = page()->session().check.warnings();
  const auto* notices = page()->findChild<PageNotices*>();
  const QString missing = notices == nullptr ? QString() : notices->missingText();
  const bool isEmpty = page()->session().document.graph().nodes.empty();
  QString text = errors > 0 ? shownCount(errors, "error") : QString("Ready to run");
  if (warnings > 0) text += ", " + shownCount(warnings, "warning");
  if (isEmpty) text = "Empty pipeline";
  const bool asks = !page()->session().code.question().isEmpty();
  if (asks) text = "Not ready: the Python code of this pipeline is not allowed yet";
  if (!missing.isEmpty()) text = missing;
  QString icon = warnings > 0 || asks || !missing.isEmpty() ? "warning" : "";
  if (errors > 0) icon = "error";
  if (isEmpty) icon.clear();
  m_ready->setOpens(errors + warnings > 0 && !isEmpty && missing.isEmpty() ? "Show the problems"
                                                                           : QString());
  const bool nothingOpen = m_start->isShown();
  for (const char* name : {"save", "save_as"}) action(name)->setEnabled(!nothingOpen);
  if (nothingOpen) {
    text = "No pipeline open";
    icon.clear();
  }
  for (const QString& going : {sweeping, m_controller->statusText()})
    if (!going.isEmpty()) {
      text = going;
      icon = "play";
    }
  m_ready->setIcon(icon);
  m_ready->setText(text);
}

void MainWindow::foldProblems() {
  QDockWidget* preview = findChild<QDockWidget*>("preview");
  const bool isEmpty = page() == nullptr || page()->session().problems.rowCount() == 0;
  const bool isBeside = preview->isVisible() && !preview->isFloating() &&
                        !tabifiedDockWidgets(preview).contains(m_problemsDock);
  using Fold = ProblemsPanel::Fold;
  if (isEmpty && m_problemsWidth == 0)
    m_problemsWidth = std::max(kProblemsWidth, m_problemsDock->width());
  m_problems->setFolded(!isEmpty || m_docks->isFolded() ? Fold::No
                        : isBeside                      ? Fold::Narrow
                                                        : Fold::Low);
  if (isEmpty || m_problemsWidth == 0) return;
  const int width = std::exchange(m_problemsWidth, 0);
  if (isBeside && width > m_problemsDock->width())
    resizeDocks({m_problemsDock, preview},
                {width, m_problemsDock->width() + preview->width() - width}, Qt::Horizontal);
}

/// Hidden docks can be neither switched nor shown.
void MainWindow::refreshDockActions() {
  const bool inPlace = !m_docks->isAway();
  for (const char* name : {"swap_docks", "reset_layout"}) action(name)->setEnabled(inPlace);
  m_docksMenu->setEnabled(inPlace);
}

void MainWindow::refreshActions() {
  if (page() == nullptr) return;
  EditSession& session = page()->session();
  const std::size_t count = session.selection.nodes().size();
  const auto enable = [this](const QString& name, bool on) { action(name)->setEnabled(on); };
  for (const char* name : {"cut", "copy", "duplicate", "delete_heal", "group", "ungroup", "choose"})
    enable(name, count > 0);
  enable("delete", !session.selection.isEmpty());
  for (const char* name : {"connect", "rename"}) enable(name, count == 1);
  enable("add_behind", count <= 1);  // With no selection it adds a first node.
  const auto whyNotPlain = session.editor.whyNotPlain();
  enable("plain", !whyNotPlain);
  action("plain")->setToolTip(whyNotPlain.value_or("Replace by drain, or back (D)"));
  const auto why = session.editor.whyNoBypass();
  enable("bypass", !why);
  action("bypass")->setToolTip(why.value_or("Bypass (B)"));
  action("bypass")->setStatusTip(why.value_or(QString()));
  for (const char* name : {"align_left", "align_right", "align_top", "align_bottom"})
    enable(name, count > 1);
  for (const char* name : {"distribute_across", "distribute_down"}) enable(name, count > 2);
  enable("arrange", !session.document.graph().nodes.empty());
  enable("export", !session.document.graph().nodes.empty());
  QString text;
  if (count == 1) text = "Selected: " + session.editor.titleOf(session.selection.current());
  if (count > 1) text = QString("Selected: %1 nodes").arg(count);
  if (session.selection.wire()) text = "Selected: a wire";
  m_selected->setText(text);
}

}  // namespace millrace
