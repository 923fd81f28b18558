// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QPointer>

#include "app/workbench/page_runs.h"
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

class PipelinePage;
class RunViews;

/// A run as it was asked for: later edits are not in it.
struct WaitingRun {
  QPointer<PipelinePage> page;
  Graph graph;
  RunOrder order;
  NodeNames names;
};

/// Running, as part of the main window: actions, measure settings, docks, progress, and the values
/// on the canvas of each page that ran. One run at a time; what is shown is the last one of the
/// page in front. GUI thread.
class RunDesk : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// `window` and `settings` outlive the desk. `front`: the page before the person, or nullptr.
  RunDesk(QMainWindow& window, QSettings& settings, FrontPage front);
  ~RunDesk() override;

  void buildDocks();
  void fillMenu(QMenu& menu);
  void fillToolBar(QToolBar& bar);
  /// The front page, its document or its check is another: what can be done, and what is shown.
  void refresh();
  /// How many documents are open: among several the docks name theirs. For the next `refresh`.
  void setDocuments(int count) { m_documents = count; }

  /// What has to happen before a run disturbs nothing, such as "runs 3 and 4 are measured"; empty:
  /// it may begin.
  void setOther(std::function<QString()> other) { m_other = std::move(other); }
  /// That began or is over: those that wait go on.
  void goOn();
  /// Runs the front page's pipeline as it stands; while another page's runs or other runs are
  /// measured again, behind that.
  void run();
  /// Ends the run that goes on; those that wait go on with the next.
  void stop() { m_session.stop(); }
  /// Those that wait are forgotten.
  void clearQueue();
  std::size_t waiting() const { return m_waiting.size(); }
  RunSession& session() { return m_session; }
  RunViews& views() { return *m_views; }
  const MeasureChoice& measure() const { return m_measure; }
  void setMeasure(const MeasureChoice& measure);
  /// "Ready to run", "Running: 32 964 samples read", "Differs from what is running".
  QString statusWords() const;
  /// Whether the front document is not what ran.
  bool differs() const;

 signals:
  void statusChanged();
  /// A run has ended and none waits.
  void becameIdle();
  /// A node that the advice names.
  void nodeAsked(const QString& node);
  /// What the machine lacks for a GPU.
  void missingAsked();

 private:
  QDockWidget* dockNamed(const QString& name) const;
  bool isWaiting(const PipelinePage* page) const;
  WaitingRun orderOf(PipelinePage& page) const;
  void begin(WaitingRun run);
  void beginNext();
  /// `obstacle`: why the page cannot run; empty: it can.
  QString runTip(PipelinePage* page, const QString& obstacle) const;
  QString other() const { return m_other ? m_other() : QString(); }
  void buildStrip();
  QToolButton* runButton();
  bool docksShown() const;
  void showDocks();
  /// From those of a run to those of editing, and back.
  void swapDocks();
  void showOverlay();
  void showFront();
  void showState();
  void askMeasure();
  void fillMeasureMenu();

  QMainWindow& m_window;
  QSettings& m_settings;
  FrontPage m_front;
  int m_documents = 1;
  std::function<QString()> m_other;
  RunSession m_session;
  RunViews* m_views;
  MeasureChoice m_measure;
  PageRuns m_runs;
  std::vector<WaitingRun> m_waiting;
  QAction* m_run;
  QAction* m_stop;
  QAction* m_copyCommand;
  QAction* m_clearQueue;
  QAction* m_swapDocks;
  QToolBar* m_strip = nullptr;
  QToolButton* m_measureButton = nullptr;
  QMenu* m_measureMenu;
  std::vector<QDockWidget*> m_docks;
};

/// "2 s warm-up, 5 s, 3 repeats".
QString shownMeasure(const MeasureChoice& measure);

}  // namespace millrace
