// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The end of MainWindow: documents are saved and measurements kept complete first.
#include <algorithm>

#include <QCloseEvent>
#include <QTabWidget>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/document_docks.h"
#include "app/workbench/window/document_saving.h"
#include "app/workbench/window/main_window.h"

namespace millrace {

void MainWindow::closeEvent(QCloseEvent* event) {
  QList<PipelinePage*> pages;
  for (int i = 0; i < m_tabs->count(); ++i)
    if (PipelinePage* page = pageAt(i)) pages << page;
  if (!m_saving->mayAllGo(pages, [this] { close(); })) {
    event->ignore();
    return;
  }
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
  if (m_diagnoses->isRunning() || std::ranges::any_of(searches(), &SearchController::isRunning)) {
    // Measurements must be kept complete; a sweep can be continued at the next start.
    for (SearchController* search : searches()) {
      connect(search, &SearchController::stateChanged, this, &MainWindow::close,
              Qt::UniqueConnection);
      search->stop();
    }
    connect(m_diagnoses, &DiagnoseController::stateChanged, this, &MainWindow::close,
            Qt::UniqueConnection);
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
