// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/preview_controller.h"

#include <QDockWidget>
#include <QMainWindow>

#include "app/workbench/controllers/run_controller.h"
#include "widgets/common/dock.h"
#include "widgets/preview/preview_panel.h"

namespace millrace {

PreviewController::PreviewController(QMainWindow& window, RunController& runs)
    : QObject(&window), m_panel(new PreviewPanel) {
  QDockWidget* dock = makeDock("preview", "Preview", m_panel);
  auto* problems = window.findChild<QDockWidget*>("problems");
  window.addDockWidget(Qt::BottomDockWidgetArea, dock);
  window.splitDockWidget(problems, dock, Qt::Horizontal);
  window.resizeDocks({problems, dock}, {330, 520}, Qt::Horizontal);
  connect(&runs.session(), &RunSession::stateChanged, this,
          [this, &runs] { m_panel->setRunning(runs.session().isRunning()); });
}

void PreviewController::setSession(EditSession* session) { m_panel->setSession(session); }

bool PreviewController::isAtWork() const { return m_panel->isAtWork(); }

}  // namespace millrace
