// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <list>

#include <QObject>
#include <QPointer>

#include "core/analysis/advice.h"
#include "core/graph/graph.h"
#include "widgets/bridge/engine_job.h"
#include "widgets/models/live/diagnosis_report.h"

class QAction;
class QMainWindow;
class QMenu;

namespace millrace {

class DiagnosisView;
class PipelinePage;

/// Diagnosis in the main window: the child that finds what limits a pipeline, its view in the
/// advice dock, and the advised edits. One diagnosis at a time. Each document has its own report,
/// which holds for the pipeline that was diagnosed. GUI thread.
class DiagnoseController : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// All arguments must outlive the controller. `front`: returns the page in front, or nullptr.
  DiagnoseController(QMainWindow& window, DiagnosisView& view, FrontPage front);
  void fillMenu(QMenu& menu);
  /// Why nothing may be measured now, as a sentence; empty if it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// Call when something that prevents a diagnosis began or ended, or when another page is in
  /// front.
  void refresh();
  /// The store in which diagnoses are kept; empty: the user's own.
  void setStore(const QString& file) { m_store = file; }
  void start();
  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  QString statusText() const;
  /// Of the diagnosis that is running, from 0 to 1; nullopt if it is not known.
  std::optional<double> progress() const;
  /// How the last one ended, in plain text: "The diagnosis of a is over", and what it found or why
  /// it failed.
  struct News {
    QString title;
    QString text;
  };
  /// nullopt if it was stopped.
  const std::optional<News>& lastNews() const { return m_news; }
  EngineJob& job() { return m_job; }
  DiagnosisView& view() { return m_view; }

 signals:
  void statusChanged();
  /// A diagnosis began or ended.
  void stateChanged();
  /// An advised change was made.
  void applied(millrace::PipelinePage* page, const QString& change,
               const std::optional<millrace::RatePrediction>& predicted);

 private:
  /// The diagnosis of a page, running or finished.
  struct Diagnosed {
    QPointer<PipelinePage> page;
    Graph graph;  ///< as it was diagnosed
    QString title;
    std::optional<DiagnosisReport> report;
    QString news;  ///< that it has ended, while the page was not in front
  };
  Diagnosed* diagnosedOf(const PipelinePage* page);
  void showFront();
  QString whyStale() const;
  void announce(const ChildEnd& end);
  void take(const StreamEvent& event);
  QString editDescription(const Advice& advice) const;
  QString whyNot(const Advice& advice) const;
  void apply(const Advice& advice);

  QMainWindow& m_window;
  DiagnosisView& m_view;
  FrontPage m_front;
  std::function<QString()> m_obstacle;
  EngineJob m_job;
  ProgressEvent m_step;  ///< the last one
  std::list<Diagnosed> m_diagnosed;
  QPointer<PipelinePage> m_page;   ///< the page that is being diagnosed
  QPointer<PipelinePage> m_shown;  ///< the page whose report is shown
  QString m_store;
  std::optional<News> m_news;  ///< of the last diagnosis
  QString m_title;             ///< of the page that is being diagnosed
  QAction* m_begin;
};

}  // namespace millrace
