// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What of MainWindow measures: one at a time, each told of the others.
#include "app/workbench/data_desk.h"
#include "app/workbench/diagnose_desk.h"
#include "app/workbench/main_window.h"
#include "app/workbench/run_desk.h"
#include "app/workbench/runs_desk.h"
#include "app/workbench/sweep_desk.h"
#include "app/workbench/tune_desk.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/common/strings.h"

namespace millrace {

QString MainWindow::whatMeasures() const {
  if (const QString runs = m_runs->measuring(); !runs.isEmpty()) return runs + " are measured";
  if (m_diagnoses->isRunning()) return "the diagnosis is over";
  if (m_tunes->isRunning()) return "the tuning is over";
  return m_sweeps->isRunning() ? QString("the sweep is over") : QString();
}

/// One thing is measured at a time, and says to the others that it is.
void MainWindow::buildMeasuring() {
  const auto obstacle = [this]() -> QString {
    if (m_desk->session().isRunning())
      return "A run goes on, and would disturb the measurement. Stop it first (Shift+F5).";
    const QString other = whatMeasures();
    return other.isEmpty() ? QString() : "Another measurement goes on: wait until " + other + '.';
  };
  connect(m_desk, &RunDesk::statusChanged, this, &MainWindow::refreshReady);
  connect(m_desk, &RunDesk::becameIdle, m_runs, &RunsDesk::readAgain);
  m_runs->setObstacle(obstacle);
  m_diagnoses->setObstacle(obstacle);
  m_desk->setOther([this] { return whatMeasures(); });
  connect(m_runs, &RunsDesk::exportAsked, this, &MainWindow::openExport);
  connect(m_runs, &RunsDesk::measuringChanged, m_desk, &RunDesk::goOn);
  connect(m_runs, &RunsDesk::statusChanged, this, &MainWindow::refreshReady);
  connect(m_diagnoses, &DiagnoseDesk::stateChanged, m_desk, &RunDesk::goOn);
  connect(m_diagnoses, &DiagnoseDesk::stateChanged, m_runs, &RunsDesk::readAgain);
  connect(m_diagnoses, &DiagnoseDesk::statusChanged, this, &MainWindow::refreshReady);
  // What hinders the others began or is over.
  const auto refreshAll = [this] {
    m_sweeps->refresh();
    m_tunes->refresh();
    m_diagnoses->refresh();
    m_data->refresh();
  };
  connect(&m_desk->session(), &RunSession::stateChanged, this, refreshAll);
  // Both a run that begins and one that has failed may be about data that is gone.
  connect(&m_desk->session(), &RunSession::stateChanged, this, &MainWindow::lookAgain);
  connect(m_runs, &RunsDesk::measuringChanged, this, refreshAll);
  connect(m_diagnoses, &DiagnoseDesk::stateChanged, this, refreshAll);
  connect(&m_diagnoses->view(), &DiagnosisView::sweepRequested, this,
          [this](const QString& node, const QString& param) {
            m_sweeps->ask(fromQt(node), fromQt(param));
          });
  connect(m_sweeps, &SweepDesk::noticesChanged, this, &MainWindow::showNotices);
  const auto showRuns = [this](const QString& experiment) {
    m_runs->open("experiment = \"" + QString(experiment).replace('"', "\\\"") + '"');
  };
  for (SearchDesk* search : std::initializer_list<SearchDesk*>{m_sweeps, m_tunes}) {
    search->setObstacle(obstacle);
    connect(search, &SearchDesk::stateChanged, m_desk, &RunDesk::goOn);
    connect(search, &SearchDesk::stateChanged, m_runs, &RunsDesk::readAgain);
    connect(search, &SearchDesk::stateChanged, this, refreshAll);
    connect(search, &SearchDesk::statusChanged, this, &MainWindow::refreshReady);
    connect(search, &SearchDesk::opening, m_runs, &RunsDesk::adopt);
    connect(search, &SearchDesk::runsAsked, this, showRuns);
  }
}

}  // namespace millrace
