// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow's coordination of measurements: one at a time, each informed of the others.
#include <algorithm>

#include "app/workbench/controllers/advice_controller.h"
#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/desktop_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/long_jobs.h"
#include "app/workbench/window/main_window.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/common/strings.h"

namespace millrace {

QString MainWindow::whatMeasures() const {
  if (const QString runs = m_runs->measuring(); !runs.isEmpty()) return runs + " are measured";
  if (m_diagnoses->isRunning()) return "the diagnosis is over";
  if (m_tunes->isRunning()) return "the tuning is over";
  if (m_dataReports->isBusy()) return "the data is examined";
  if (m_loaders->isBusy()) return "the loader is measured or translated";
  return m_sweeps->isRunning() ? QString("the sweep is over") : QString();
}

QList<SearchController*> MainWindow::searches() const {
  return {m_sweeps, m_tunes, m_dataReports, m_loaders};
}

/// What stops a run also stops another measurement.
void MainWindow::buildStopping() {
  m_controller->setOther([this] { return whatMeasures(); });
  m_controller->setStoppable([this] {
    return m_diagnoses->isRunning() ||
           std::ranges::any_of(searches(), &SearchController::isRunning);
  });
  connect(m_controller, &RunController::stopOtherRequested, this, [this] {
    m_diagnoses->stop();
    for (SearchController* search : searches()) search->stop();
  });
}

/// Only one measurement runs at a time; it prevents the others.
void MainWindow::buildMeasuring() {
  const auto obstacle = [this]() -> QString {
    if (m_controller->session().isRunning())
      return "A run is going on and would disturb the measurement. Stop it first (Shift+F5).";
    const QString other = whatMeasures();
    return other.isEmpty() ? QString()
                           : "Other work would disturb the measurement: wait until " + other + '.';
  };
  connect(m_controller, &RunController::statusChanged, this, &MainWindow::refreshReady);
  connect(m_controller, &RunController::becameIdle, m_runs, &RunsController::readAgain);
  m_runs->setObstacle(obstacle);
  m_diagnoses->setObstacle(obstacle);
  buildStopping();
  connect(m_runs, &RunsController::exportRequested, this, &MainWindow::openExport);
  connect(m_runs, &RunsController::storeChanged, this, [this](const std::filesystem::path& file) {
    m_controller->setStore(fileText(file));
    m_diagnoses->setStore(fileText(file));
    m_sweeps->setStore(file);
    m_tunes->setStore(file);
    m_loaders->setStore(file);
  });
  connect(m_runs, &RunsController::measuringChanged, m_controller, &RunController::goOn);
  connect(m_runs, &RunsController::statusChanged, this, &MainWindow::refreshReady);
  connect(m_diagnoses, &DiagnoseController::stateChanged, m_controller, &RunController::goOn);
  connect(m_diagnoses, &DiagnoseController::stateChanged, m_runs, &RunsController::readAgain);
  connect(m_diagnoses, &DiagnoseController::applied, &m_controller->advice(),
          &AdviceController::expect);
  connect(m_diagnoses, &DiagnoseController::statusChanged, this, &MainWindow::refreshReady);
  DesktopController* desktop = showOnDesktop(*this, m_settings);
  // A measurement, which prevents the others, began or ended.
  const auto refreshAll = [this, desktop] {
    desktop->refresh();
    for (SearchController* search : searches()) search->refresh();
    m_diagnoses->refresh();
    m_data->refresh();
  };
  connect(&m_controller->session(), &RunSession::stateChanged, this, refreshAll);
  // Both a run that begins and one that failed may concern missing data.
  connect(&m_controller->session(), &RunSession::stateChanged, this,
          &MainWindow::checkFilesAndData);
  connect(m_runs, &RunsController::measuringChanged, this, refreshAll);
  connect(m_diagnoses, &DiagnoseController::stateChanged, this, refreshAll);
  connect(&m_diagnoses->view(), &DiagnosisView::sweepRequested, this,
          [this](const QString& node, const QString& param) {
            m_sweeps->ask(fromQt(node), fromQt(param));
          });
  connect(m_sweeps, &SweepController::noticesChanged, this, &MainWindow::showNotices);
  const auto showRuns = [this](const QString& experiment) {
    m_runs->open("experiment = \"" + QString(experiment).replace('"', "\\\"") + '"');
  };
  for (SearchController* search : searches()) {
    search->setObstacle(obstacle);
    connect(search, &SearchController::stateChanged, m_controller, &RunController::goOn);
    connect(search, &SearchController::stateChanged, m_runs, &RunsController::readAgain);
    connect(search, &SearchController::stateChanged, this, refreshAll);
    connect(search, &SearchController::statusChanged, this, &MainWindow::refreshReady);
    connect(search, &SearchController::opening, m_runs, &RunsController::adopt);
    connect(search, &SearchController::runsRequested, this, showRuns);
  }
  m_dataReports->setObstacle([this] { return whyNotExamine(); });
}

QString MainWindow::whyNotExamine() const {
  if (m_controller->session().isRunning())
    return "A run is going on, and reading all data would disturb it. Stop it first (Shift+F5).";
  const QString other = whatMeasures();
  return other.isEmpty() ? QString() : "Wait until " + other + '.';
}

}  // namespace millrace
