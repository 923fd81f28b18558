// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// RunController's docks, and the switch between the docks for editing and those for running.
#include <algorithm>

#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/document_docks.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/dock.h"

namespace millrace {

namespace {

/// Docks that are of no use while a run is being watched.
constexpr const char* kEditing[] = {"nodes", "outline", "problems", "preview"};

}  // namespace

QDockWidget* RunController::dockNamed(const QString& name) const {
  return m_window.findChild<QDockWidget*>(name);
}

void RunController::buildDocks() {
  QDockWidget* below = nullptr;
  QDockWidget* right = nullptr;
  for (const RunViews::Dock& entry : m_views->docks()) {
    const bool isBelow = entry.place == RunViews::Place::Below;
    QDockWidget* dock = makeDock("run_" + entry.name, entry.title, entry.view);
    QDockWidget*& before = isBelow ? below : right;
    m_window.addDockWidget(isBelow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    if (before != nullptr)
      m_window.splitDockWidget(before, dock, isBelow ? Qt::Horizontal : Qt::Vertical);
    before = dock;
    dock->hide();
    m_docks.push_back(dock);
  }
  if (QDockWidget* inspector = dockNamed("inspector"))
    m_window.tabifyDockWidget(inspector, dockNamed("run_advice"));
  // Side by side, all of them together would be wider than a small laptop's screen.
  const std::pair<const char*, const char*> sharing[] = {
      {"run_throughput", "problems"},   {"run_queueFill", "preview"},
      {"run_nodeTime", "run_memory"},   {"run_cores", "run_coresUsed"},
      {"run_cores", "run_gpuBusy"},     {"run_queueFill", "run_disk"},
      {"run_queueFill", "run_network"}, {"run_nodeTime", "run_order"}};
  for (const auto& [first, second] : sharing)
    if (QDockWidget* dock = dockNamed(second)) m_window.tabifyDockWidget(dockNamed(first), dock);
  connect(&m_views->figures(), &FiguresPanel::headingChanged, dockNamed("run_figures"),
          &QDockWidget::setWindowTitle);
}

bool RunController::docksShown() const {
  // Advice is also shown when nothing runs: it comes from a diagnosis.
  return std::ranges::any_of(m_docks, [](const QDockWidget* dock) {
    return !dock->isHidden() && dock->objectName() != "run_advice";
  });
}

void RunController::swapDocks() {
  if (m_dockLayouts.work() == DocumentDocks::Work::Editing) return showDocks();
  m_dockLayouts.setWork(DocumentDocks::Work::Editing, [this] { showEditingDocks(); });
  if (QDockWidget* inspector = dockNamed("inspector")) inspector->raise();
  fitSoon();
}

void RunController::editDocks() {
  // While the start page is shown, no docks are; this is called again when it closes.
  const bool canSwitch = !m_session.isRunning() && !m_dockLayouts.isAway();
  if (canSwitch && m_dockLayouts.work() == DocumentDocks::Work::Running) swapDocks();
}

void RunController::showEditingDocks() {
  if (!docksShown()) return;
  for (QDockWidget* dock : m_docks) dock->hide();
  for (const char* name : kEditing)
    if (QDockWidget* dock = dockNamed(name)) dock->show();
}

void RunController::showDocks() {
  if (m_dockLayouts.work() == DocumentDocks::Work::Running) return;
  m_dockLayouts.setWork(DocumentDocks::Work::Running, [this] { showRunningDocks(); });
  dockNamed("run_advice")->raise();
  fitSoon();
}

/// After the docks are laid out, when the canvas has another size.
void RunController::fitSoon() {
  if (PipelinePage* page = m_front()) QTimer::singleShot(0, page, [page] { page->view().fit(); });
}

void RunController::showRunningDocks() {
  // First, because all docks together may be wider than the screen, and the window would grow.
  for (const char* name : kEditing)
    if (QDockWidget* dock = dockNamed(name)) dock->hide();
  static const QStringList unasked = {"run_memory",  "run_coresUsed", "run_disk",
                                      "run_network", "run_gpuBusy",   "run_order"};
  for (QDockWidget* dock : m_docks)
    if (!unasked.contains(dock->objectName())) dock->show();
  const auto sized = [this](const QStringList& names, const QList<int>& sizes,
                            Qt::Orientation direction) {
    QList<QDockWidget*> docks;
    for (const QString& name : names) docks << dockNamed("run_" + name);
    m_window.resizeDocks(docks, sizes, direction);
  };
  sized({"throughput", "queueFill", "nodeTime", "cores", "gpu"}, {360, 260, 300, 270, 200},
        Qt::Horizontal);
  constexpr int kChartsAt = 868;  // a lower window leaves more room for the canvas
  sized({"throughput"}, {m_window.height() < kChartsAt ? 205 : 270}, Qt::Vertical);
  sized({"advice", "figures"}, {360, 190}, Qt::Vertical);
  // More than four side by side would cut their text.
  constexpr int kRoomForFive = 1500;
  if (m_window.width() < kRoomForFive) {
    m_window.tabifyDockWidget(dockNamed("run_cores"), dockNamed("run_gpu"));
    dockNamed("run_cores")->raise();
  }
  if (m_dockLayouts.isFolded()) dockNamed("run_throughput")->raise();
}

}  // namespace millrace
