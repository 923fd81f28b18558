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

/// All views of a run, live or over. At each tick the visible ones are updated; one that becomes
/// visible or whose range changes is updated at once. The widgets belong to their parent widgets.
/// GUI thread.
class RunViews : public QObject {
  Q_OBJECT
 public:
  enum class Place { Below, Right };
  /// A view, as a dock holds it.
  struct Dock {
    QString name;  ///< for the saved layout
    QString title;
    RunView* view;
    Place place;
    QList<QAction*> actions;  ///< for the dock's title
  };

  /// `gpu`: the name of the machine's GPU; empty if there is none.
  RunViews(RunSession& session, const QString& gpu, QObject* parent = nullptr);
  ~RunViews() override;

  /// Shows the session's run, another one that must stay alive while shown, or none (nullptr).
  void show(const LiveRun* run);
  const LiveRun& run() const { return *m_run; }
  /// The shown run has changed. The session's own run needs no call.
  void refresh();
  const std::vector<Dock>& docks() const { return m_docks; }
  RunStrip& strip() const { return *m_strip; }
  AdvicePanel& advice() const { return *m_advice; }
  FiguresPanel& figures() const { return *m_figures; }
  GpuPanel& gpu() const { return *m_gpu; }
  ChartLink& link() { return m_link; }

 signals:
  /// Another run is shown, or this one began or ended.
  void runChanged();

 private:
  void add(const QString& name, const QString& title, RunView* view, Place place,
           const QList<QAction*>& actions = {});
  void addChart(const QString& name, const QString& title, ChartPanel* chart);

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
