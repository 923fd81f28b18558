// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/run_views.h"

#include <vector>

#include <QSettings>

#include "widgets/bridge/run_session.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/core_panel.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/gpu_panel.h"
#include "widgets/charts/node_time_panel.h"
#include "widgets/charts/order_panel.h"
#include "widgets/charts/run_strip.h"

namespace millrace {

namespace {

constexpr const char* kSmooth = "charts/smooth";

/// Those of every open run: all have smooth lines, or none.
std::vector<RunViews*>& everyViews() {
  static std::vector<RunViews*> all;
  return all;
}

}  // namespace

RunViews::RunViews(RunSession& session, const QString& gpu, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_run(&session.run()),
      m_strip(new RunStrip),
      m_advice(new AdvicePanel),
      m_figures(new FiguresPanel),
      m_gpu(new GpuPanel(gpu)) {
  add("advice", "Advice", m_advice, Place::Right);
  add("figures", "Figures", m_figures, Place::Right);
  addChart("throughput", "Throughput", new ChartPanel("Throughput", throughputOf, m_link));
  addChart("queueFill", "Queue fill", new ChartPanel("Queue fill", queueFillOf, m_link));
  add("nodeTime", "Time by node, ms", new NodeTimePanel, Place::Below);
  add("cores", "CPU by core", new CorePanel, Place::Below);
  add("gpu", "GPU", m_gpu, Place::Below);
  addChart("memory", "Memory", new ChartPanel("Memory", memoryOf, m_link));
  addChart("coresUsed", "CPU over time", new ChartPanel("CPU over time", coresUsedOf, m_link));
  addChart("disk", "Disk, MB/s", new ChartPanel("Disk, MB/s", diskOf, m_link));
  addChart("network", "Network, MB/s", new ChartPanel("Network, MB/s", networkOf, m_link));
  add("order", "Shuffle", new OrderPanel, Place::Below);
  addChart("gpuBusy", "GPU over time", new ChartPanel("GPU over time", gpuBusyOf, m_link));
  m_link.setSmooth(QSettings("millrace", "workbench").value(kSmooth, false).toBool());
  everyViews().push_back(this);
  connect(&m_link, &ChartLink::smoothChanged, this, [this] {
    const bool smooth = m_link.isSmooth();
    QSettings("millrace", "workbench").setValue(kSmooth, smooth);
    for (RunViews* views : everyViews()) views->m_link.setSmooth(smooth);
  });
  connect(m_strip, &RunView::shownAgain, this,
          [this] { m_strip->refresh(*m_run, m_link.range()); });
  connect(&session, &RunSession::ticked, this, [this] {
    if (m_run == &m_session.run()) refresh();
  });
  connect(&session, &RunSession::stateChanged, this, [this] {
    // A range belongs to the run in which it was dragged.
    emit runChanged();
    if (m_session.run().state() != LiveRun::State::Preparing) return;
    m_link.setRange(std::nullopt);
    m_link.setZoom(std::nullopt);
  });
  connect(&m_link, &ChartLink::rangeChanged, this, &RunViews::refresh);
}

RunViews::~RunViews() { std::erase(everyViews(), this); }

void RunViews::add(const QString& name, const QString& title, RunView* view, Place place,
                   const QList<QAction*>& actions) {
  m_docks.push_back({name, title, view, place, actions});
  connect(view, &RunView::shownAgain, this,
          [this, view] { view->refresh(*m_run, m_link.range()); });
}

void RunViews::addChart(const QString& name, const QString& title, ChartPanel* chart) {
  add(name, title, chart, Place::Below, chart->actions());
}

void RunViews::show(const LiveRun* run) {
  const LiveRun* next = run == nullptr ? &m_none : run;
  if (next == m_run) return;
  m_run = next;
  // All are in the time of the run in which they were chosen.
  m_link.setHair(std::nullopt);
  m_link.setRange(std::nullopt);
  m_link.setZoom(std::nullopt);
  for (const Dock& dock : m_docks) dock.view->forget();
  refresh();
  emit runChanged();
}

void RunViews::refresh() {
  const auto range = m_link.range();
  m_strip->refresh(*m_run, range);
  m_advice->setSilence(m_run == &m_session.run() ? m_session.silence() : QString());
  for (const Dock& dock : m_docks) dock.view->refresh(*m_run, range);
}

}  // namespace millrace
