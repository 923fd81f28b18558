// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Closing of MainWindow and its documents: the user is asked about all unsaved changes.
#include <QCloseEvent>
#include <QMessageBox>
#include <QTabWidget>

#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/main_window.h"

namespace millrace {

MainWindow::Unsaved MainWindow::askAboutUnsaved(PipelinePage& page) {
  const Document& document = page.session().document;
  if (!document.isModified()) return Unsaved::MayGo;
  QMessageBox box(QMessageBox::Question, "Millrace",
                  QString("%1 has unsaved changes.").arg(document.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return Unsaved::Save;
  return answer == QMessageBox::Discard ? Unsaved::MayGo : Unsaved::Stay;
}

bool MainWindow::mayCloseAll() {
  QList<QPointer<PipelinePage>> unsaved;
  for (int i = 0; i < m_tabs->count(); ++i) {
    if (pageAt(i) == nullptr) continue;
    if (pageAt(i)->session().document.isModified()) m_tabs->setCurrentIndex(i);
    const Unsaved answer = askAboutUnsaved(*pageAt(i));
    if (answer == Unsaved::Stay) return false;
    if (answer == Unsaved::Save) unsaved << pageAt(i);
  }
  if (unsaved.isEmpty()) return true;
  saveThenClose(unsaved, m_edits);
  return false;
}

void MainWindow::saveThenClose(QList<QPointer<PipelinePage>> unsaved, int editsAsked) {
  while (!unsaved.isEmpty() && !unsaved.first()) unsaved.removeFirst();
  if (unsaved.isEmpty()) {
    // Edits made while a file was being saved are asked about.
    m_mayClose = m_edits == editsAsked;
    close();
    return;
  }
  PipelinePage* page = unsaved.takeFirst();
  save(*page, [this, unsaved, editsAsked] { saveThenClose(unsaved, editsAsked); });
}

void MainWindow::closePage(int index) {
  if (m_runs->owns(m_tabs->widget(index))) return m_runs->closeTab(m_tabs->widget(index));
  PipelinePage* page = pageAt(index);
  if (page == nullptr) return;
  const Unsaved answer = askAboutUnsaved(*page);
  if (answer == Unsaved::MayGo) removePage(*page);
  if (answer == Unsaved::Save)
    save(*page, [this, page = QPointer(page)] {
      if (page) removePage(*page);
    });
}

void MainWindow::removePage(PipelinePage& page) {
  m_undo.removeStack(&page.session().document.undoStack());
  m_tabs->removeTab(m_tabs->indexOf(&page));
  bool none = true;
  for (int i = 0; i < m_tabs->count(); ++i) none = none && pageAt(i) == nullptr;
  if (none) newPage();
  if (none && m_tabs->count() == 1) m_start->show();
  delete &page;
  // No signal reports that a tab other than the current one was removed.
  refreshState();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_mayClose && !mayCloseAll()) {
    event->ignore();
    return;
  }
  m_mayClose = true;
  if (m_controller->session().isRunning()) {
    // The run's record must be complete: the window closes when the run has ended, at most two
    // seconds later.
    connect(m_controller, &RunController::becameIdle, this, &MainWindow::close,
            Qt::UniqueConnection);
    m_controller->clearQueue();
    m_controller->stop();
    event->ignore();
    return;
  }
  if (m_sweeps->isRunning() || m_tunes->isRunning() || m_diagnoses->isRunning()) {
    // Measurements must be kept complete; a sweep can be continued at the next start.
    connect(m_sweeps, &SweepController::stateChanged, this, &MainWindow::close,
            Qt::UniqueConnection);
    connect(m_tunes, &TuneController::stateChanged, this, &MainWindow::close, Qt::UniqueConnection);
    connect(m_diagnoses, &DiagnoseController::stateChanged, this, &MainWindow::close,
            Qt::UniqueConnection);
    m_sweeps->stop();
    m_tunes->stop();
    m_diagnoses->stop();
    event->ignore();
    return;
  }
  keepSession();
  m_settings.setValue("geometry", saveGeometry());
  using Work = DocumentDocks::Work;
  m_settings.setValue("layout", m_docks->layout(Work::Editing));
  m_settings.setValue("layout_running", m_docks->layout(Work::Running));
  event->accept();
}

}  // namespace millrace
