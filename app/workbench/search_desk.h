// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QJsonObject>
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

/// A search for good settings as part of the main window, whatever searches: its actions, its
/// child, its tab, and settings that are taken into the pipeline. One search of a kind at a time.
/// GUI thread.
class SearchDesk : public QObject {
  Q_OBJECT
 public:
  /// The main window around it; all of it outlives the desk.
  struct Place {
    QMainWindow& window;
    QTabWidget& tabs;
    QSettings& settings;
    std::function<PipelinePage*()> front;  ///< the page before the person, or nullptr
  };

  void fillMenu(QMenu& menu);
  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// What hinders a search began or is over, or another page is in front.
  virtual void refresh();

  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  void show();
  /// Of the page that was searched, while the search is in front; nullptr: another tab is.
  QUndoStack* undoStackOf(const QWidget* tab);
  /// Empty while there is nothing to say.
  QString statusWords() const;
  EngineJob& job() { return m_job; }

 signals:
  /// The tab comes to the front for the first time.
  void opening(QWidget* tab);
  void statusChanged();
  /// A search began or is over.
  void stateChanged();
  /// The runs of this experiment are to be seen.
  void runsAsked(const QString& experiment);

 protected:
  /// What it is called.
  struct Names {
    const char* name;  ///< of its actions and its icon
    QString noun;      ///< "sweep"
    QString tab;
    QString ask;
    QString show;
    QString keys;
  };

  SearchDesk(const Place& place, Names names);

  /// The view of it, which the desk made and deletes; parentless until it is a tab.
  virtual QWidget& view() = 0;
  /// Of the view, what the keys go to.
  virtual QWidget& plot() = 0;
  virtual void takeEvent(const QJsonObject& event) = 0;
  virtual void takeEnd(const ChildEnd& end) = 0;
  virtual void showNewsInView(bool stopping) = 0;
  virtual void say(const QString& sentence) = 0;
  /// Why no search can begin from the dialog, and no setting can be taken; empty: it can.
  virtual void setObstacles(const QString& begin, const QString& take) = 0;
  virtual QString goingWords() const = 0;

  PipelinePage* front() const { return m_place.front(); }
  const Place& place() const { return m_place; }
  QAction& askAction() { return *m_ask; }
  /// False: another goes on, or something hinders it, which the page was told.
  bool mayBegin(PipelinePage& page) const;
  /// The child measures `page`, and the tab comes to the front.
  void begin(PipelinePage& page, const JobOrder& order);
  PipelinePage* searched() const { return m_searched; }
  /// The dialog for a search of that page.
  void present(QDialog& dialog, PipelinePage& page);
  /// As one step of the page that was searched: `changes` in words, or why there are none.
  void takeIn(Result<Graph> graph, const QStringList& changes);
  /// `commandOf`: the command for a pipeline in that file.
  void copyCommand(PipelinePage* page, const std::function<QString(QString)>& commandOf);

 private:
  /// Why this page cannot be searched now, as a sentence; empty: it can.
  QString whyNot(PipelinePage* page) const;
  void showNews();
  void finish(const ChildEnd& end);

  const Place m_place;
  const Names m_names;
  std::function<QString()> m_obstacle;
  EngineJob m_job;
  QPointer<PipelinePage> m_searched;
  QPointer<PipelinePage> m_presented;  ///< the dialog is for it
  QTimer m_news;
  QAction* m_ask;
  QAction* m_show;
};

}  // namespace millrace
