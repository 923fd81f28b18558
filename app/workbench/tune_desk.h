// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "widgets/bridge/engine_job.h"
#include "widgets/models/live_tune.h"
#include "widgets/models/tune_order.h"

class QAction;
class QMainWindow;
class QMenu;
class QSettings;
class QTabWidget;
class QUndoStack;

namespace millrace {

class PipelinePage;
class TuneDialog;
class TunePage;

/// The tuner as part of the main window: what asks for it, the child, the tab that shows it, and
/// taking what it found. One tuning at a time. GUI thread.
class TuneDesk : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// All that is given outlives the desk. `front`: the page before the person, or nullptr.
  TuneDesk(QMainWindow& window, QTabWidget& tabs, QSettings& settings, FrontPage front);
  ~TuneDesk() override;

  void fillMenu(QMenu& menu);
  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// What hinders a tuning began or is over, or another page is in front.
  void refresh();

  /// Opens the dialog for the front page.
  void ask();
  void start(PipelinePage& page, const TuneOrder& order);
  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  void show();
  /// Of the page that was tuned, while the tuning is in front; nullptr: another tab is.
  QUndoStack* undoStackOf(const QWidget* tab) const;
  /// Empty while there is nothing to say.
  QString statusWords() const;

  EngineJob& job() { return m_job; }
  const LiveTune& tune() const { return m_tune; }
  TunePage& page() { return *m_page; }
  TuneDialog* dialog() const;

 signals:
  /// The tab comes to the front for the first time.
  void opening(QWidget* tab);
  void statusChanged();
  /// A tuning began or is over.
  void stateChanged();
  /// The runs of this experiment are to be seen.
  void runsAsked(const QString& experiment);

 private:
  void openDialog(PipelinePage& page);
  void showNews();
  void finish(const ChildEnd& end);
  void take(std::size_t trial);
  void copyCommand(const TuneOrder& order, PipelinePage* page);
  TuneOrder usualOrder() const;
  void keepUsual(const TuneOrder& order);
  QString obstacle() const { return m_obstacle ? m_obstacle() : QString(); }

  QMainWindow& m_window;
  QTabWidget& m_tabs;
  QSettings& m_settings;
  FrontPage m_front;
  std::function<QString()> m_obstacle;
  std::filesystem::path m_store;
  EngineJob m_job;
  LiveTune m_tune;
  TunePage* m_page;  ///< parentless until it is a tab
  QPointer<TuneDialog> m_dialog;
  QPointer<PipelinePage> m_tuned;
  TuneOrder m_order;  ///< of the tuning that goes on, or went last
  QTimer m_news;
  QAction* m_ask;
  QAction* m_show;
};

}  // namespace millrace
