// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "widgets/bridge/engine_job.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/live_sweep.h"
#include "widgets/models/unfinished_sweep.h"
#include "widgets/runs/store_thread.h"

class QAction;
class QMainWindow;
class QMenu;
class QSettings;
class QTabWidget;
class QToolBar;
class QUndoStack;

namespace millrace {

class PipelinePage;
class SweepDialog;
class SweepPage;

/// Sweeping as part of the main window: what asks for one, the child, the tab that shows it, and
/// what is done with what it found. One sweep at a time. GUI thread.
class SweepDesk : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// All that is given outlives the desk. `front`: the page before the person, or nullptr.
  SweepDesk(QMainWindow& window, QTabWidget& tabs, QSettings& settings, FrontPage front);
  ~SweepDesk() override;

  void fillMenu(QMenu& menu);
  void fillToolBar(QToolBar& bar);
  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// What hinders a sweep began or is over, or another page is in front.
  void refresh();

  /// Opens the dialog for the front page; a parameter joins those that are there.
  void ask(const NodeId& node = {}, const std::string& param = {});
  /// Measures; `resumed`: the experiment to go on with.
  void start(PipelinePage& page, const SweepOrder& order, const QString& resumed = {});
  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  void show();

  /// Looks whether the store has a sweep of this page's document that can go on.
  void look(PipelinePage& page);
  QList<Notice> notices(PipelinePage* page);
  /// Of the page that was swept, while the sweep is in front; nullptr: another tab is.
  QUndoStack* undoStackOf(const QWidget* tab) const;
  /// Empty while there is nothing to say.
  QString statusWords() const;

  EngineJob& job() { return m_job; }
  const LiveSweep& sweep() const { return m_sweep; }
  SweepPage& page() { return *m_page; }
  SweepDialog* dialog() const;
  void setStore(const std::filesystem::path& file) { m_store.setFile(file); }

 signals:
  /// The tab with the sweep comes to the front for the first time.
  void opening(QWidget* tab);
  void statusChanged();
  /// A sweep began or is over.
  void stateChanged();
  void noticesChanged();
  /// The runs of this experiment are to be seen.
  void runsAsked(const QString& experiment);

 private:
  void openDialog(PipelinePage& page);
  void showNews();
  void finish(const ChildEnd& end);
  void take(std::size_t point);
  void copyCommand(const SweepOrder& order, PipelinePage* page);
  SweepOrder usualOrder() const;
  void keepUsual(const SweepOrder& order);
  QString obstacle() const { return m_obstacle ? m_obstacle() : QString(); }

  QMainWindow& m_window;
  QTabWidget& m_tabs;
  QSettings& m_settings;
  FrontPage m_front;
  std::function<QString()> m_obstacle;
  StoreThread m_store;
  EngineJob m_job;
  LiveSweep m_sweep;
  SweepPage* m_page;  ///< parentless until it is a tab
  QPointer<SweepDialog> m_dialog;
  QPointer<PipelinePage> m_swept;
  SweepOrder m_order;  ///< of the sweep that goes on, or went last
  JobOrder m_asked;
  QTimer m_news;
  std::map<PipelinePage*, UnfinishedSweep> m_unfinished;
  QAction* m_ask;
  QAction* m_show;
};

}  // namespace millrace
