// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, saving and closing of MainWindow's documents.
#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>

#include "app/workbench/main_window.h"
#include "app/workbench/narrow_docks.h"
#include "app/workbench/runs_desk.h"
#include "app/workbench/start_desk.h"
#include "core/samples/examples.h"
#include "widgets/common/strings.h"
#include "widgets/models/recovery.h"

namespace millrace {

namespace {

constexpr int kRecentFiles = 10;
constexpr const char* kFileFilter = "Pipelines (*.millrace.json *.json);;All files (*)";

}  // namespace

PipelinePage* MainWindow::newPage() {
  auto* page = new PipelinePage(m_catalog);
  Document& document = page->session().document;
  m_undo.addStack(&document.undoStack());
  new Recovery(document, Recovery::defaultFolder());
  watch(*page);
  connect(page, &PipelinePage::exampleRequested, this,
          [this] { openExample(toQt(examples().front().name)); });
  connect(&page->view(), &CanvasView::inspectRequested, this, &MainWindow::inspect);
  connect(&page->view(), &CanvasView::menuRequested, this, &MainWindow::showMenu);
  connect(&page->view(), &CanvasView::urlsDropped, this, [this](const QList<QUrl>& urls) {
    for (const QUrl& url : urls)
      if (url.isLocalFile()) open(url.toLocalFile());
  });
  m_tabs->setCurrentIndex(m_tabs->addTab(page, document.title()));
  return page;
}

bool MainWindow::isUntouched(PipelinePage& page) const {
  const Document& document = page.session().document;
  return document.graph().nodes.empty() && !document.isModified() && document.filePath().isEmpty();
}

/// An untouched empty page is filled, else a new one is made.
PipelinePage* MainWindow::pageToFill() {
  PipelinePage* current = page();
  return current != nullptr && isUntouched(*current) ? current : newPage();
}

void MainWindow::buildStart() {
  StartDesk::Hooks hooks;
  hooks.openText = [this](std::string_view text, const QString& title) {
    PipelinePage* page = pageToFill();
    const Status opened = page->session().document.openText(text, title);
    refreshState();
    return opened ? page : nullptr;
  };
  hooks.open = [this](const QString& file) { open(file); };
  hooks.newPage = [this] { newPage(); };
  hooks.chooseFile = [this] { chooseFile(); };
  hooks.nothingOpen = [this] {
    return m_tabs->count() == 1 && page() != nullptr && isUntouched(*page());
  };
  hooks.tell = [this](const QString& title, const QString& sentence) { tell(title, sentence); };
  m_start = new StartDesk(*this, m_catalog, m_settings, *m_desk, std::move(hooks));
  connect(m_start, &StartDesk::changed, this, &MainWindow::refreshReady);
  connect(m_start, &StartDesk::changed, this, &MainWindow::sizeDocksOnce);
  // What it brings back may be of a time before the window was found small.
  connect(m_start, &StartDesk::changed, this, [this] {
    if (!m_start->isShown() && m_narrow != nullptr) m_narrow->refold();
  });
  // First, so that the docks which the start page put away do not come back over the runs.
  connect(m_runs, &RunsDesk::opening, m_start, &StartDesk::leave);
  setCentralWidget(m_start->around(m_tabs));
}

bool MainWindow::open(const QString& fileOrExample) {
  if (StartDesk::isData(fileOrExample)) {
    m_start->propose(fileOrExample);
    return true;
  }
  return exampleJson(fromQt(fileOrExample)) && !QFileInfo::exists(fileOrExample)
             ? openExample(fileOrExample)
             : openFile(fileOrExample);
}

bool MainWindow::openFile(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  for (int i = 0; i < m_tabs->count(); ++i)
    if (PipelinePage* open = pageAt(i); open && open->session().document.filePath() == path) {
      m_tabs->setCurrentIndex(i);
      return true;
    }
  // Read before a page is made, so that a file that cannot be read leaves none behind.
  Document probe(m_catalog);
  if (const Status read = probe.open(path); !read) {
    tell("Cannot open " + QFileInfo(file).fileName(), sentence(read.error().message));
    return false;
  }
  PipelinePage* page = pageToFill();
  const Status opened = page->session().document.open(path);
  if (opened) remember(path);
  refreshState();
  return opened.ok();
}

bool MainWindow::openExample(const QString& name) {
  const std::optional<std::string> json = exampleJson(fromQt(name));
  if (!json) return false;
  const Status opened = pageToFill()->session().document.openText(*json, name);
  refreshState();
  return opened.ok();
}

void MainWindow::restore(const std::string& json, const QString& title) {
  const Status opened = newPage()->session().document.openText(json, title);
  if (!opened) tell("Cannot restore " + title, sentence(opened.error().message));
  refreshState();
}

void MainWindow::chooseFile() {
  const QString start = m_settings.value("folder", QDir::homePath()).toString();
  for (const QString& file :
       QFileDialog::getOpenFileNames(this, "Open pipelines", start, kFileFilter))
    open(file);
}

bool MainWindow::save(PipelinePage& page) {
  Document& document = page.session().document;
  if (document.filePath().isEmpty()) return saveAs(page);
  const Status saved = document.save(document.filePath());
  if (!saved) tell("Not saved", sentence(saved.error().message));
  return saved.ok();
}

bool MainWindow::saveAs(PipelinePage& page) {
  Document& document = page.session().document;
  QString start = document.filePath();
  if (start.isEmpty())
    start = QDir(m_settings.value("folder", QDir::homePath()).toString())
                .filePath(document.title() + ".millrace.json");
  QString file = QFileDialog::getSaveFileName(this, "Save pipeline", start, kFileFilter);
  if (file.isEmpty()) return false;
  if (!file.endsWith(".json")) file += ".millrace.json";
  const Status saved = document.save(file);
  if (saved)
    remember(file);
  else
    tell("Not saved", sentence(saved.error().message));
  return saved.ok();
}

bool MainWindow::mayClose(PipelinePage& page) {
  const Document& document = page.session().document;
  if (!document.isModified()) return true;
  QMessageBox box(QMessageBox::Question, "Millrace",
                  QString("%1 has changes that are not saved.").arg(document.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return save(page);
  return answer == QMessageBox::Discard;
}

void MainWindow::closePage(int index) {
  if (m_runs->owns(m_tabs->widget(index))) return m_runs->closeTab(m_tabs->widget(index));
  PipelinePage* page = pageAt(index);
  if (page == nullptr || !mayClose(*page)) return;
  m_undo.removeStack(&page->session().document.undoStack());
  m_tabs->removeTab(index);
  bool none = true;
  for (int i = 0; i < m_tabs->count(); ++i) none = none && pageAt(i) == nullptr;
  if (none) newPage();
  if (none && m_tabs->count() == 1) m_start->show();
  delete page;
}

void MainWindow::remember(const QString& file) {
  QStringList files = m_settings.value("recent").toStringList();
  files.removeAll(file);
  files.prepend(file);
  while (files.size() > kRecentFiles) files.removeLast();
  m_settings.setValue("recent", files);
  m_settings.setValue("folder", QFileInfo(file).absolutePath());
  refillRecent();
}

void MainWindow::refillRecent() {
  m_recent->clear();
  for (const QString& file : m_settings.value("recent").toStringList())
    m_recent->addAction(file, this, [this, file] { openRecent(file); });
  m_recent->setEnabled(!m_recent->isEmpty());
}

void MainWindow::openRecent(const QString& file) {
  const bool there = QFileInfo::exists(file);
  if (open(file) || there) return;
  QStringList files = m_settings.value("recent").toStringList();
  files.removeAll(file);
  m_settings.setValue("recent", files);
  // The menu whose entry this is must not go while it is open.
  QMetaObject::invokeMethod(this, &MainWindow::refillRecent, Qt::QueuedConnection);
}

void MainWindow::offerRecovery() {
  for (const RecoveredDocument& left : Recovery::leftBehind(Recovery::defaultFolder())) {
    QMessageBox box(QMessageBox::Question, "Millrace",
                    QString("The workbench ended before %1 was saved.").arg(left.title),
                    QMessageBox::NoButton, this);
    box.setInformativeText("Open what was kept? The file itself is as it was last saved.");
    const QAbstractButton* recover = box.addButton("Open it", QMessageBox::AcceptRole);
    const QAbstractButton* discard = box.addButton("Throw it away", QMessageBox::DestructiveRole);
    box.addButton("Ask again next time", QMessageBox::RejectRole);
    box.exec();
    if (box.clickedButton() == recover) {
      Document& document = pageToFill()->session().document;
      const Status opened = document.recover(left.text, left.file, left.title);
      if (!opened) {
        tell("Cannot open what was kept", sentence(opened.error().message));
        continue;
      }
      // Before the older copy goes: this program may be ended as suddenly as the last one was.
      document.findChild<Recovery*>()->writeNow();
    }
    if (box.clickedButton() == recover || box.clickedButton() == discard)
      QFile::remove(left.recoveryFile);
  }
  refreshState();
}

}  // namespace millrace
