// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QMainWindow>
#include <QTabWidget>

#include "core/base/result.h"
#include "core/jobs/run/recorded_stream.h"
#include "widgets/bridge/run_session.h"
#include "widgets/models/live/live_run.h"
#include "widgets/runs/run_details.h"

class QDockWidget;

namespace millrace {

class Catalog;
class KeptPipelinePage;
class TracePage;
class RunViews;

/// A kept run: its pipeline, or the steps of a user's own loader, with the run's figures on the
/// nodes, and as docks the views that a running pipeline has, its settings and its verdict. GUI
/// thread.
class KeptRunPage : public QMainWindow {
  Q_OBJECT
 public:
  explicit KeptRunPage(const Catalog& catalog, QWidget* parent = nullptr);
  ~KeptRunPage() override;

  /// Returns an error if the pipeline cannot be read; the rest is shown nevertheless.
  Status showRun(const RecordedRun& recorded, const std::optional<JudgedAgainst>& judged,
                 const QString& title);
  KeptPipelinePage& pipeline() { return *m_pipeline; }
  RunViews& views() { return *m_views; }
  RunDetailsView& details() { return *m_details; }
  TracePage& trace() { return *m_trace; }
  /// The pipeline and the trace share the middle; a run without a trace has only the pipeline.
  bool hasTrace() const { return m_middle->isTabVisible(1); }
  void showTrace() { m_middle->setCurrentIndex(1); }
  const LiveRun& run() const { return m_run; }

 signals:
  void restoreRequested();
  void exportRequested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildDocks();
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* view,
                       Qt::DockWidgetArea area);
  void layOut();
  Status showPipeline(const RecordedRun& recorded, const QString& title);
  void showLoader(const RecordedRun& recorded, const QString& title);

  const Catalog& m_catalog;
  RunSession m_none;  ///< the views follow no running engine
  LiveRun m_run;
  QTabWidget* m_middle;
  KeptPipelinePage* m_pipeline;
  TracePage* m_trace;
  RunViews* m_views;
  RunDetailsView* m_details;
  bool m_isLaidOut = false;
};

}  // namespace millrace
