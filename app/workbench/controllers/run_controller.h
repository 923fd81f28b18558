// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QPointer>

#include "app/workbench/window/page_runs.h"
#include "core/graph/graph.h"
#include "widgets/bridge/run_session.h"

class QAction;
class QDockWidget;
class QLabel;
class QMainWindow;
class QMenu;
class QSettings;
class QToolBar;
class QToolButton;

namespace millrace {

class AdviceController;
class DocumentDocks;
class PipelinePage;
class RunViews;

/// A snapshot of a requested run: later edits are not part of it.
struct WaitingRun {
  QPointer<PipelinePage> page;
  Graph graph;
  RunOrder order;
  NodeNames names;
};

/// Runs in the main window: actions, measure settings, docks, progress, and the figures on the
/// canvas of each page that ran. One run at a time; the last run of the page in front is shown. GUI
/// thread.
class RunController : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// The first three must outlive the controller. `front`: returns the page in front, or
  /// nullptr.
  RunController(QMainWindow& window, DocumentDocks& docks, QSettings& settings, FrontPage front);
  ~RunController() override;

  void buildDocks();
  /// Shows the docks for editing, and hides those for running.
  void showEditingDocks();
  void fillMenu(QMenu& menu);
  void fillToolBar(QToolBar& bar);
  /// Updates actions and views; call when the page in front, its document or its check has changed.
  void refresh();
  /// Sets the number of open documents: if there are several, the docks show the document's name.
  /// Takes effect at the next `refresh`.
  void setDocuments(int count) { m_documents = count; }

  /// What must happen before a run would not disturb another measurement, such as "runs 3 and 4 are
  /// measured"; empty if a run may begin.
  void setOther(std::function<QString()> other) { m_other = std::move(other); }
  /// Whether something else is running that Stop can stop.
  void setStoppable(std::function<bool()> stoppable) { m_stoppable = std::move(stoppable); }
  /// Call when that measurement began or ended: waiting runs continue.
  void goOn();
  /// Runs the current state of the pipeline in front. If another page is running or a measurement
  /// is going on, the run waits for that.
  void run();
  /// Runs long enough to tell what limits the pipeline, from now on.
  void runLonger();
  /// Ends the current run; the next waiting run begins.
  void stop() { m_session.stop(); }
  /// Drops the waiting runs.
  void clearQueue();
  std::size_t waiting() const { return m_waiting.size(); }
  RunSession& session() { return m_session; }
  RunViews& views() { return *m_views; }
  AdviceController& advice() { return *m_advice; }
  const MeasureChoice& measure() const { return m_measure; }
  /// The store in which runs are kept; empty: the user's own.
  void setStore(const QString& file) { m_store = file; }
  void setMeasure(const MeasureChoice& measure);
  /// "Running: 32 964 samples read", "2 runs wait until the sweep is over"; empty if idle.
  QString statusText() const;
  /// Whether the document in front differs from what ran.
  bool differs() const;

  /// Shows the docks for editing, for a document that was just opened; not while a run goes on.
  void editDocks();

 signals:
  void statusChanged();
  /// A run has ended and none is waiting.
  void becameIdle();
  /// The user stops what runs instead of a run.
  void stopOtherRequested();
  /// The user asks to see a node that the advice names.
  void nodeRequested(const QString& node);
  /// The user asks why there is no GPU.
  void gpuHelpRequested();

 private:
  QDockWidget* dockNamed(const QString& name) const;
  bool isWaiting(const PipelinePage* page) const;
  WaitingRun orderOf(PipelinePage& page) const;
  void begin(WaitingRun run);
  void beginNext();
  /// `obstacle`: why the page cannot run; empty if it can.
  QString runTip(PipelinePage* page, const QString& obstacle) const;
  QString other() const { return m_other ? m_other() : QString(); }
  void buildStrip();
  QToolButton* runButton();
  bool docksShown() const;
  void showDocks();
  void showRunningDocks();
  void fitSoon();
  /// Switches between the docks for running and those for editing.
  void swapDocks();
  void showOverlay();
  void showFront();
  void showState();
  void copyCommand(PipelinePage& page) const;
  void askMeasure();
  void fillMeasureMenu();

  QMainWindow& m_window;
  DocumentDocks& m_dockLayouts;
  QSettings& m_settings;
  FrontPage m_front;
  int m_documents = 1;
  std::function<QString()> m_other;
  std::function<bool()> m_stoppable;
  RunSession m_session;
  RunViews* m_views;
  MeasureChoice m_measure;
  QString m_store;
  PageRuns m_runs;
  AdviceController* m_advice;
  bool m_advised = true;  ///< the advice controller knows of the end of the last run
  std::vector<WaitingRun> m_waiting;
  QAction* m_run;
  QAction* m_stop;
  QAction* m_copyCommand;
  QAction* m_clearQueue;
  QAction* m_swapDocks;
  QAction* m_trace;
  QToolBar* m_strip = nullptr;
  QToolButton* m_measureButton = nullptr;
  QMenu* m_measureMenu;
  std::vector<QDockWidget*> m_docks;
};

/// "2 s warm-up, 5 s, 3 repeats".
QString shownMeasure(const MeasureChoice& measure);

}  // namespace millrace
