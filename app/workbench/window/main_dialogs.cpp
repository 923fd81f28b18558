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
#include "app/workbench/dialogs/cheat_sheet.h"
#include "app/workbench/dialogs/help_window.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "app/workbench/dialogs/shortcuts_dialog.h"
#include "app/workbench/window/diagnosis.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/palette_entries.h"
#include "app/workbench/window/tour_steps.h"
#include "core/open/examples.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/export/export_dialog.h"
#include "widgets/start/tour.h"

namespace millrace {

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
  constexpr int kPaletteWidth = 460;
  m_palette->setLeastWidth(kPaletteWidth);
  add(menu, "palette", "&Find…", QKeySequence("Ctrl+Shift+P"), [this] { openPalette(); }, "search");
  add(menu, "keys", "&Keys at a glance", QKeySequence("?"),
      [this] { CheatSheet(*m_shortcuts, *this).exec(); });
  add(menu, "shortcuts", "Change &shortcuts…", {},
      [this] { ShortcutsDialog(*m_shortcuts, this).exec(); });
  makeTour(*this);
  add(menu, "tour", "&Tour of the window", {}, [this] { findChild<Tour*>()->start(); });
  menu.addSeparator();
  add(menu, "copy_diagnosis", "Copy system &information", {}, [this] { copyDiagnosis(); }, "copy");
  add(menu, "about", "About &Millrace", {}, [this] { showAbout(); });
}

void MainWindow::openPalette() {
  std::vector<SearchEntry> entries = actionEntries(*this);
  const auto take = [&entries](std::vector<SearchEntry> more) {
    std::ranges::move(more, std::back_inserter(entries));
  };
  if (page() != nullptr) take(documentEntries(page()->session()));
  take(fileEntries(m_settings.value("recent").toStringList()));
  const QPoint top = mapToGlobal(QPoint((width() - m_palette->width()) / 2, 60));
  m_palette->open("Find an action, node, setting, run or document", std::move(entries), top,
                  [this](const QString& key) { go(key); });
  m_runs->askNewest(
      m_palette, [this](const std::vector<RunSummary>& runs) { m_palette->add(runEntries(runs)); });
}

/// Goes to what the palette found.
void MainWindow::go(const QString& key) {
  const QString what = key.section(':', 0, 0);
  const QString name = key.section(':', 1);
  if (what == "action") {
    if (QAction* chosen = findChild<QAction*>(name)) chosen->trigger();
  } else if (what == "node") {
    showProblem(name, {});
  } else if (what == "param") {
    showProblem(name.section('/', 0, 0), name.section('/', 1));
  } else if (what == "add") {
    addKind(name);
  } else if (what == "file") {
    open(name);
  } else if (what == "run") {
    m_runs->openRun(RunNumber{name.toLongLong()});
  }
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
  m_docks->setLayouts(m_firstLayout, {});
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
  auto* dialog = new ExportDialog(std::move(source), m_settings, this);
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
