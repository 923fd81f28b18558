// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow's functions besides pipelines: help, shortcuts, system information, export, notices.
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QToolBar>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/file_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/run_count.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/dialogs/help_window.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "app/workbench/dialogs/shortcuts_dialog.h"
#include "app/workbench/window/diagnosis.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "core/open/examples.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/export/export_dialog.h"

namespace millrace {

namespace {

/// Every action that is enabled now, with its text and keys.
std::vector<SearchEntry> actionEntries(const QMainWindow& window) {
  std::vector<SearchEntry> entries;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (!action->objectName().startsWith("action_") || !action->isEnabled()) continue;
    // The text of a submenu's entry outside its menu.
    const QString alone = action->property("alone").toString();
    const QString text = alone.isEmpty() ? plainText(*action) : alone;
    entries.push_back({action->objectName(), text,
                       action->shortcut().toString(QKeySequence::NativeText), text.toLower(),
                       action->icon()});
  }
  return entries;
}

}  // namespace

void MainWindow::buildHelpMenu() {
  QMenu& menu = *menuBar()->addMenu("&Help");
  add(
      menu, "help", "&Help", QKeySequence("F1"),
      [this] {
        const NodeSpec* spec =
            page() == nullptr
                ? nullptr
                : page()->session().document.specOf(page()->session().selection.current());
        showHelp(spec == nullptr ? QString() : toQt(spec->kind));
      },
      "help");
  m_palette = new SearchPopup(this);
  add(
      menu, "palette", "&Find an action…", QKeySequence("Ctrl+Shift+P"),
      [this] {
        const QPoint top = mapToGlobal(QPoint((width() - 300) / 2, 60));
        m_palette->open("Find an action", actionEntries(*this), top, [this](const QString& name) {
          if (QAction* chosen = findChild<QAction*>(name)) chosen->trigger();
        });
      },
      "search");
  add(menu, "shortcuts", "&Shortcuts…", {}, [this] { ShortcutsDialog(*m_shortcuts, this).exec(); });
  menu.addSeparator();
  add(menu, "copy_diagnosis", "Copy system &information", {}, [this] { copyDiagnosis(); }, "copy");
  add(menu, "about", "About &Millrace", {}, [this] { showAbout(); });
}

void MainWindow::showHelp(const QString& kind) {
  if (m_help == nullptr) m_help = new HelpWindow(m_catalog, *m_shortcuts, this);
  m_help->showPage(kind);
  m_help->show();
  m_help->raise();
  m_help->activateWindow();
}

void MainWindow::copyDiagnosis() {
  if (page() != nullptr) page()->say("Waiting for the engine");
  makeDiagnosis(this, [this](const QString& text) {
    QApplication::clipboard()->setText(text);
    if (page() != nullptr)
      page()->say(
          QString("The system information (%1 lines) was copied to the clipboard. It names none "
                  "of your files except the folders of the store and the sample data.")
              .arg(text.count('\n')));
  });
}

void MainWindow::showAbout() {
  QMessageBox::about(
      this, "About Millrace",
      QString("<b>Millrace %1</b><p>Keeps a GPU fed: assembles, runs and compares training-data "
              "loaders.</p><p>Workbench: GPL-3.0-or-later, because Qt Charts is. Engine and "
              "command line: Apache-2.0. Exported code is yours.</p><p>Qt %2</p>")
          .arg(MILLRACE_VERSION, qVersion()));
}

void MainWindow::resetLayout() {
  m_docks->setLayout(m_firstLayout);
  showNotices();
  m_controller->refresh();  // It decides whether its bar is shown.
}

void MainWindow::setAppearance(const QString& name) {
  m_settings.setValue("appearance", name);
  applyTheme(name == "dark"    ? Appearance::Dark
             : name == "light" ? Appearance::Light
                               : Appearance::System);
}

void MainWindow::exportPipeline() {
  const Document& document = page()->session().document;
  ExportSource source;
  source.graph = document.graph();
  source.catalog = &m_catalog;
  source.base = document.base();
  source.title = document.title();
  source.version = MILLRACE_VERSION;
  const QString file = document.filePath();
  const bool isExample = file.isEmpty() && exampleJson(fromQt(document.title())).has_value();
  source.name = fromQt(file.isEmpty() ? document.title() : file);
  source.subject = QStringList{file.isEmpty() ? document.title() : file};
  if (file.isEmpty() && !isExample)
    source.commandCaveat = "Save the pipeline first: the command needs its file.";
  else if (document.isModified())
    source.commandCaveat = isExample ? "It exports the shipped example without your changes: "
                                       "save them to a file."
                                     : "It uses the saved file: save your changes first.";
  openExport(std::move(source));
}

void MainWindow::openExport(ExportSource source) {
  auto* dialog = new ExportDialog(std::move(source), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setModal(true);
  dialog->show();
}

void MainWindow::buildNotices() {
  m_notices = new NoticeBar;
  m_noticeBar = new QToolBar("Notices", this);
  m_noticeBar->setObjectName("notices");
  m_noticeBar->setMovable(false);
  m_noticeBar->addWidget(m_notices);
  addToolBarBreak();
  addToolBar(m_noticeBar);
  m_noticeBar->hide();
  connect(m_files, &FileController::changed, this, &MainWindow::showNotices);
  // The start page hides or shows all bars.
  connect(m_start, &StartController::changed, this, &MainWindow::showNotices);
}

void MainWindow::watch(PipelinePage& page) {
  auto* notices = new PageNotices(page);
  connect(notices, &PageNotices::changed, this, &MainWindow::showNotices);
  connect(notices, &PageNotices::changed, this, &MainWindow::refreshState);
  m_data->watch(page, *notices);
  // After the document is complete.
  connect(
      &page.session().document, &Document::replaced, m_sweeps,
      [this, page = QPointer<PipelinePage>(&page)] {
        if (page) m_sweeps->findUnfinished(*page);  // Otherwise it was closed at once.
      },
      Qt::QueuedConnection);
}

void MainWindow::showNotices() {
  auto* notices = page() == nullptr ? nullptr : page()->findChild<PageNotices*>();
  m_notices->show(m_files->notices() + (notices == nullptr ? QList<Notice>() : notices->notices()) +
                  m_sweeps->notices(page()));
  m_noticeBar->setVisible(!m_notices->notices().isEmpty());
  refreshReady();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::ActivationChange || !isActiveWindow()) return;
  checkFilesAndData();
  m_runs->count().countAgain();
}

/// Another program may have changed files and data.
void MainWindow::checkFilesAndData() {
  for (PageNotices* notices : m_tabs->findChildren<PageNotices*>()) notices->checkAgain();
}

}  // namespace millrace
