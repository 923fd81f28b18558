// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "widgets/bridge/engine_job.h"

class QAction;
class QDialog;
class QMainWindow;
class QMenu;
class QSettings;
class QTabWidget;
class QUndoStack;

namespace millrace {

class PipelinePage;

/// Base of the searches for good settings (sweep, tuning) and of the report on data in the main
/// window: actions, child, tab, and applying a result to the pipeline. One of a kind at a time. GUI
/// thread.
class SearchController : public QObject {
  Q_OBJECT
 public:
  /// The parts of the main window that it uses; all must outlive the controller.
  struct Place {
    QMainWindow& window;
    QTabWidget& tabs;
    QSettings& settings;
    std::function<PipelinePage*()> front;  ///< the page in front, or nullptr
  };

  /// The menu Run.
  virtual void fillMenu(QMenu& menu);
  /// Why nothing may be measured now, as a sentence; empty if it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// Call when something that prevents a search began or ended, or when another page is in front.
  virtual void refresh();

  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  void show();
  /// The searched page's undo stack while the search is in front; nullptr if another tab is.
  QUndoStack* undoStackOf(const QWidget* tab);
  /// Empty if there is nothing to report.
  QString statusText() const;
  EngineJob& job() { return m_job; }

 signals:
  /// The tab is shown for the first time.
  void opening(QWidget* tab);
  void statusChanged();
  /// A search began or ended.
  void stateChanged();
  /// The user asks to see the runs of this experiment.
  void runsRequested(const QString& experiment);

 protected:
  /// The names of the search.
  struct Names {
    const char* name;  ///< prefix of its actions, and its icon
    QString noun;      ///< "sweep"
    QString tab;
    QString ask;
    QString show;
    QString keys;
  };

  SearchController(const Place& place, Names names);

  /// The search's view, which the derived class creates and deletes; it has no parent until it is a
  /// tab.
  virtual QWidget& view() = 0;
  /// The widget of the view that gets the focus.
  virtual QWidget& plot() = 0;
  virtual void takeEvent(const StreamEvent& event) = 0;
  virtual void takeEnd(const ChildEnd& end) = 0;
  virtual void showNewsInView(bool stopping) = 0;
  virtual void say(const QString& sentence) = 0;
  /// Why no search can be started from the dialog, and why no setting can be applied; empty if it
  /// can.
  virtual void setObstacles(const QString& begin, const QString& take) = 0;
  virtual QString goingText() const = 0;
  /// Why nothing can be started on this page, as a sentence; empty if it can.
  virtual QString obstacleOf(PipelinePage* page) const;

  /// The page in front, or the searched one while the search's own tab is in front.
  PipelinePage* front();
  const Place& place() const { return m_place; }
  QAction& askAction() { return *m_ask; }
  QAction& showAction() { return *m_show; }
  /// Whether a search may begin. If something prevents it, the page shows the reason.
  bool mayBegin(PipelinePage& page) const;
  /// Starts the child for `page` and shows the tab.
  void begin(PipelinePage& page, const JobOrder& order);
  /// The same for a job that is not about a page.
  void begin(const JobOrder& order);
  PipelinePage* searched() const { return m_searched; }
  /// While the tab is shown, Ctrl+Z undoes this page's edits from now on.
  void setSearched(PipelinePage* page) { m_searched = page; }
  /// Shows the dialog for a search of that page.
  void present(QDialog& dialog, PipelinePage& page);
  /// Applies a graph to the searched page as one undo step. `changes`: its description. An error is
  /// shown.
  void takeIn(Result<Graph> graph, const QStringList& changes);
  /// Shows a sentence about the last edit of the searched page until that is undone.
  void sayApplied(const QString& words);
  /// `commandOf`: makes the command for a pipeline in that file.
  void copyCommand(PipelinePage* page, const std::function<QString(QString)>& commandOf);

 private:
  /// Why this page cannot be searched now, as a sentence; empty if it can.
  QString whyNot(PipelinePage* page) const;
  void showNews();
  void finish(const ChildEnd& end);

  const Place m_place;
  const Names m_names;
  std::function<QString()> m_obstacle;
  EngineJob m_job;
  QMetaObject::Connection m_applied;  ///< clears the notice about it
  QPointer<PipelinePage> m_searched;
  QPointer<PipelinePage> m_presented;  ///< the dialog's page
  QTimer m_news;
  QAction* m_ask;
  QAction* m_show;
};

}  // namespace millrace
