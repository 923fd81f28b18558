// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QObject>

#include "widgets/charts/chart_link.h"

class QAction;

namespace millrace {

class AdvicePanel;
class ChartPanel;
class CorePanel;
class FiguresPanel;
class GpuPanel;
class NodeTimePanel;
class RunSession;
class RunStrip;
class RunView;

/// Every view of a run, that of a session or one that is over: kept up to date at each tick those
/// that can be seen, at once those that become visible or whose range changed. Widgets belong to
/// whoever takes them in. GUI thread.
class RunViews : public QObject {
  Q_OBJECT
 public:
  enum class Place { Below, Right };
  /// A view as a dock shows it.
  struct Dock {
    QString name;  ///< for the saved layout
    QString title;
    RunView* view;
    Place place;
    QList<QAction*> actions;  ///< for the dock's title
  };

  /// `gpu`: what the machine has; empty: none.
  RunViews(RunSession& session, const QString& gpu, QObject* parent = nullptr);

  /// Shows the session's run, another one that outlives being shown, or none (nullptr).
  void show(const LiveRun* run);
  const LiveRun& run() const { return *m_run; }
  const std::vector<Dock>& docks() const { return m_docks; }
  RunStrip& strip() const { return *m_strip; }
  AdvicePanel& advice() const { return *m_advice; }
  FiguresPanel& figures() const { return *m_figures; }
  GpuPanel& gpu() const { return *m_gpu; }
  ChartLink& link() { return m_link; }

 private:
  void add(const QString& name, const QString& title, RunView* view, Place place,
           const QList<QAction*>& actions = {});
  void addChart(const QString& name, const QString& title, ChartPanel* chart);
  void refresh();

  RunSession& m_session;
  const LiveRun m_none{};
  const LiveRun* m_run;
  ChartLink m_link;
  RunStrip* m_strip;
  AdvicePanel* m_advice;
  FiguresPanel* m_figures;
  GpuPanel* m_gpu;
  std::vector<Dock> m_docks;
};

}  // namespace millrace
