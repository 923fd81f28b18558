// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Closing of MainWindow's documents, and of the window: nothing that is not saved goes unasked.
#include <QCloseEvent>
#include <QMessageBox>
#include <QTabWidget>

#include "app/workbench/diagnose_desk.h"
#include "app/workbench/document_docks.h"
#include "app/workbench/main_window.h"
#include "app/workbench/run_desk.h"
#include "app/workbench/runs_desk.h"
#include "app/workbench/start_desk.h"
#include "app/workbench/sweep_desk.h"
#include "app/workbench/tune_desk.h"

namespace millrace {

MainWindow::Unsaved MainWindow::askAboutUnsaved(PipelinePage& page) {
  const Document& document = page.session().document;
  if (!document.isModified()) return Unsaved::MayGo;
  QMessageBox box(QMessageBox::Question, "Millrace",
                  QString("%1 has changes that are not saved.").arg(document.title()),
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
    // What was edited since, while a file took its time, is asked about.
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
  // Nothing else tells of a tab that went from behind the one in front.
  refreshState();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_mayClose && !mayCloseAll()) {
    event->ignore();
    return;
  }
  m_mayClose = true;
  if (m_desk->session().isRunning()) {
    // The run's record is to be whole: the window goes when it is idle, at most two seconds later.
    connect(m_desk, &RunDesk::becameIdle, this, &MainWindow::close, Qt::UniqueConnection);
    m_desk->clearQueue();
    m_desk->stop();
    event->ignore();
    return;
  }
  if (m_sweeps->isRunning() || m_tunes->isRunning() || m_diagnoses->isRunning()) {
    // What is measured is kept whole; a sweep can go on at the next start.
    connect(m_sweeps, &SweepDesk::stateChanged, this, &MainWindow::close, Qt::UniqueConnection);
    connect(m_tunes, &TuneDesk::stateChanged, this, &MainWindow::close, Qt::UniqueConnection);
    connect(m_diagnoses, &DiagnoseDesk::stateChanged, this, &MainWindow::close,
            Qt::UniqueConnection);
    m_sweeps->stop();
    m_tunes->stop();
    m_diagnoses->stop();
    event->ignore();
    return;
  }
  m_settings.setValue("geometry", saveGeometry());
  m_settings.setValue("layout", m_docks->layout());
  event->accept();
}

}  // namespace millrace
