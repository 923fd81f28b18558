// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and closing of MainWindow's documents.
#include <QAbstractButton>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/file_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/document_saving.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/recent_files.h"
#include "core/base/text/loader_word.h"
#include "core/open/examples.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"
#include "widgets/models/recovery.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

QString fileOf(const QTabWidget& tabs, int index) {
  auto* page = qobject_cast<PipelinePage*>(tabs.widget(index));
  return page == nullptr ? QString() : page->session().document.filePath();
}

/// Puts a file's tab before the tabs of those that follow it in `files`: they may be read in any
/// order.
void putInOrder(QTabWidget& tabs, const QStringList& files, const QString& file) {
  int own = 0;
  while (own < tabs.count() && fileOf(tabs, own) != file) ++own;
  const QStringList later = files.mid(files.indexOf(file) + 1);
  for (int i = 0; i < own && own < tabs.count(); ++i)
    if (later.contains(fileOf(tabs, i))) return tabs.tabBar()->moveTab(own, i);
}

}  // namespace

PipelinePage* MainWindow::newPage() {
  auto* page = new PipelinePage(m_catalog);
  Document& document = page->session().document;
  m_undo.addStack(&document.undoStack());
  new Recovery(document, Recovery::defaultFolder());
  watch(*page);
  m_saving->watch(document);
  connect(page->findChild<PageNotices*>(), &PageNotices::reloadRequested, this,
          [this, page] { reload(*page); });
  connect(page, &PipelinePage::exampleRequested, this,
          [this] { openExample(toQt(examples().front().name)); });
  connect(&page->view(), &CanvasView::inspectRequested, this, &MainWindow::inspect);
  connect(&page->view(), &CanvasView::menuRequested, this, &MainWindow::showMenu);
  connect(&page->view(), &CanvasView::urlsDropped, this, [this](const QList<QUrl>& urls) {
    for (const QUrl& url : urls)
      if (url.isLocalFile()) open(url.toLocalFile());
  });
  m_tabs->setCurrentIndex(m_tabs->addTab(page, document.title()));
  m_controller->editDocks();
  return page;
}

bool MainWindow::isUntouched(PipelinePage& page) const {
  const Document& document = page.session().document;
  return document.graph().nodes.empty() && !document.isModified() && document.filePath().isEmpty();
}

/// Uses an untouched empty page if there is one, otherwise makes a new page.
PipelinePage* MainWindow::pageToFill() {
  PipelinePage* current = page();
  return current != nullptr && isUntouched(*current) ? current : newPage();
}

void MainWindow::buildStart() {
  StartController::Hooks hooks;
  hooks.openText = [this](std::string_view text, const QString& title, bool isOwn) {
    PipelinePage* page = pageToFill();
    Document& document = page->session().document;
    // What counts as recovered is unsaved.
    const Status opened =
        isOwn ? document.recover(text, {}, title) : document.openText(text, title);
    refreshState();
    return opened ? page : nullptr;
  };
  hooks.open = [this](const QString& file) { open(file); };
  hooks.newPage = [this] { newPage(); };
  hooks.chooseFile = [this] { chooseFile(); };
  hooks.nothingOpen = [this] {
    return m_tabs->count() == 1 && page() != nullptr && isUntouched(*page());
  };
  hooks.showTab = [this](QWidget* tab, const QString& title) {
    m_runs->adopt(tab);
    if (m_tabs->indexOf(tab) < 0) m_tabs->addTab(tab, title);
    m_tabs->setCurrentWidget(tab);
  };
  hooks.closeTab = [this](QWidget* tab) { m_tabs->removeTab(m_tabs->indexOf(tab)); };
  hooks.openLoader = [this] { m_loaders->ask({}); };
  hooks.warn = [this](const QString& title, const QString& sentence) { warn(title, sentence); };
  m_start =
      new StartController(*this, *m_docks, m_catalog, m_settings, *m_controller, std::move(hooks));
  connect(m_start, &StartController::changed, this, &MainWindow::refreshReady);
  connect(m_start, &StartController::changed, m_controller, &RunController::editDocks);
  connect(m_start, &StartController::changed, this, &MainWindow::refreshDockActions);
  connect(m_start, &StartController::changed, this, &MainWindow::sizeDocksOnce);
  connect(m_start, &StartController::examineRequested, m_dataReports, &DataReportController::ask);
  connect(m_loaders, &SearchController::opening, m_start, &StartController::leave);
  // First, so that the docks hidden by the start page do not reappear over the runs.
  connect(m_runs, &RunsController::opening, m_start, &StartController::leave);
  setCentralWidget(m_start->around(m_tabs));
}

void MainWindow::open(const QString& fileOrExample) {
  if (exampleJson(fromQt(fileOrExample)) && !QFileInfo::exists(fileOrExample))
    openExample(fileOrExample);
  else
    openFile(fileOrExample);
}

bool MainWindow::isWaitingForFiles() const { return m_files->isAtWork() || m_loaders->isOpening(); }

void MainWindow::openFile(const QString& file) {
  if (file.endsWith(".py")) return m_loaders->ask(file);
  if (isLoaderWord(fromQt(file))) return m_loaders->openWord(file);
  const QString path = QFileInfo(file).absoluteFilePath();
  if (PipelinePage* open = pageOf(path)) return m_tabs->setCurrentWidget(open);
  m_files->read(path, [this, path](const FoundFile& found) { take(path, found); });
}

/// The document of a file; nullptr if it is not open.
PipelinePage* MainWindow::pageOf(const QString& path) const {
  for (int i = 0; i < m_tabs->count(); ++i)
    if (PipelinePage* open = pageAt(i); open && open->session().document.filePath() == path)
      return open;
  return nullptr;
}

void MainWindow::take(const QString& path, const FoundFile& found) {
  // It may have been opened while it was read.
  if (PipelinePage* open = pageOf(path)) return m_tabs->setCurrentWidget(open);
  if (found.isData) return m_start->propose(path);
  if (!found.isThere) m_recent->forget(path);
  Status read = found.bytes ? Status() : Status(found.bytes.error());
  // Before a page is made, so that an unreadable file leaves no empty page.
  if (read) read = Document(m_catalog).openBytes(*found.bytes, path);
  if (!read) {
    warn("Cannot open " + QFileInfo(path).fileName(), sentence(read.error().message));
    return;
  }
  if (pageToFill()->session().document.openBytes(*found.bytes, path)) m_recent->remember(path);
  refreshState();
}

bool MainWindow::reopenLast() {
  const QStringList files = m_settings.value("session/files").toStringList();
  const QString front = m_settings.value("session/front").toString();
  for (const QString& file : files)
    // A file that is gone is no news at the start.
    m_files->read(file, [this, file, files, front](const FoundFile& found) {
      if (!found.isThere || found.isData) return;
      PipelinePage* before = page();
      take(file, found);
      putInOrder(*m_tabs, files, file);
      const QString shown = before == nullptr ? QString() : before->session().document.filePath();
      if (shown == front && !front.isEmpty()) m_tabs->setCurrentWidget(before);
    });
  return !files.isEmpty();
}

void MainWindow::keepSession() {
  QStringList files;
  for (int i = 0; i < m_tabs->count(); ++i)
    if (pageAt(i) != nullptr && !pageAt(i)->session().document.filePath().isEmpty())
      files << pageAt(i)->session().document.filePath();
  m_settings.setValue("session/files", files);
  m_settings.setValue("session/front",
                      page() == nullptr ? QString() : page()->session().document.filePath());
}

void MainWindow::reload(PipelinePage& page) {
  const QString path = page.session().document.filePath();
  m_files->read(path, [page = QPointer(&page), path](const FoundFile& found) {
    if (!page || page->session().document.filePath() != path) return;
    const Status read = found.bytes ? page->session().document.openBytes(*found.bytes, path)
                                    : Status(found.bytes.error());
    // A file that another program is still writing may hold half a document.
    if (!read) page->warn("Not reloaded: " + sentence(read.error().message));
  });
}

void MainWindow::openExample(const QString& name) {
  const std::optional<std::string> json = exampleJson(fromQt(name));
  if (!json) return;
  const Status opened = pageToFill()->session().document.openText(*json, name);
  if (!opened) warn("Cannot open " + name, sentence(opened.error().message));
  refreshState();
}

void MainWindow::openAsStep(const QString& file, const QString& step,
                            const std::function<void(PipelinePage*)>& take) {
  m_files->read(file, [this, file, step, take](const FoundFile& found) {
    Document read(m_catalog);
    const Status opened =
        found.bytes ? read.openBytes(*found.bytes, file) : Status(found.bytes.error());
    if (!opened)
      return warn("Cannot open " + QFileInfo(file).fileName(), sentence(opened.error().message));
    QWidget* const front = m_tabs->currentWidget();
    PipelinePage* page = newPage();
    Document& document = page->session().document;
    document.edit(step, read.graph());
    document.endMerge();
    document.savedAs(file, *found.bytes);
    m_tabs->setCurrentWidget(front);
    m_recent->remember(file);
    refreshState();
    take(page);
    showPage();
  });
}

QWidget* MainWindow::restore(const std::string& json, const QString& title) {
  PipelinePage* page = newPage();
  const Status opened = page->session().document.openText(json, title);
  if (!opened) warn("Cannot restore " + title, sentence(opened.error().message));
  refreshState();
  return page;
}

void MainWindow::chooseFile() {
  const QString last = m_settings.value("folder", QDir::homePath()).toString();
  withStartFolder(*this, last, [this](const QString& folder) {
    for (const QString& file : askOpenFiles(this, "Open pipelines", folder, kPipelineFilter))
      open(file);
  });
}

void MainWindow::closePage(int index) {
  if (m_runs->owns(m_tabs->widget(index))) return m_runs->closeTab(m_tabs->widget(index));
  PipelinePage* page = pageAt(index);
  if (page == nullptr) return;
  m_saving->letGo(*page, [this, page = QPointer(page)] {
    if (page) removePage(*page);
  });
}

void MainWindow::closeOthers() {
  const QWidget* front = m_tabs->currentWidget();
  for (int i = m_tabs->count() - 1; i >= 0; --i)
    if (m_tabs->widget(i) != front) closePage(i);
}

/// The actions concern the tab in front.
void MainWindow::showTabMenu(QPoint at) {
  const int index = m_tabs->tabBar()->tabAt(at);
  if (index < 0) return;
  m_tabs->setCurrentIndex(index);
  QMenu menu;
  for (const char* name : {"close", "close_others"}) menu.addAction(action(name));
  menu.exec(m_tabs->tabBar()->mapToGlobal(at));
}

void MainWindow::removePage(PipelinePage& page) {
  m_undo.removeStack(&page.session().document.undoStack());
  m_tabs->removeTab(m_tabs->indexOf(&page));
  bool none = true;
  bool isStartLeft = true;
  for (int i = 0; i < m_tabs->count(); ++i) {
    none = none && pageAt(i) == nullptr;
    isStartLeft = isStartLeft && m_tabs->widget(i) == &m_start->page();
  }
  if (none) newPage();
  if (isStartLeft) m_start->show();
  delete &page;
  // No signal reports that a tab other than the current one was removed.
  refreshState();
}

void MainWindow::offerRecovery() {
  for (const RecoveredDocument& left : Recovery::leftBehind(Recovery::defaultFolder())) {
    QMessageBox box(QMessageBox::Question, "Millrace",
                    QString("The workbench ended before %1 was saved.").arg(left.title),
                    QMessageBox::NoButton, this);
    box.setInformativeText(left.file.isEmpty()
                               ? "Open the recovered copy? The pipeline has no file yet."
                               : "Open the recovered copy? The file itself still has its last "
                                 "saved content.");
    const QAbstractButton* recover = box.addButton("Open copy", QMessageBox::AcceptRole);
    const QAbstractButton* discard = box.addButton("Discard copy", QMessageBox::DestructiveRole);
    box.addButton("Ask again next time", QMessageBox::RejectRole);
    box.exec();
    if (box.clickedButton() == recover) {
      PipelinePage* open = left.file.isEmpty() ? nullptr : pageOf(left.file);
      const bool isFree = open != nullptr && !open->session().document.isModified();
      Document& document = (isFree ? open : pageToFill())->session().document;
      const Status opened = document.recover(left.text, left.file, left.title);
      if (!opened) {
        warn("Cannot open the recovered copy", sentence(opened.error().message));
        continue;
      }
      // Before the older copy is removed: this program may end as suddenly as the last one.
      document.findChild<Recovery*>()->writeNow();
    }
    if (box.clickedButton() == recover || box.clickedButton() == discard)
      QFile::remove(left.recoveryFile);
  }
  refreshState();
}

}  // namespace millrace
