// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QObject>
#include <QPointer>

#include "core/analyse/advice.h"
#include "widgets/bridge/engine_job.h"

class QAction;
class QMainWindow;
class QMenu;

namespace millrace {

class DiagnosisView;
class PipelinePage;

/// Diagnosing as part of the main window: the child that finds what limits a pipeline, its view in
/// the advice dock, and the edits that it advises. One at a time. GUI thread.
class DiagnoseDesk : public QObject {
  Q_OBJECT
 public:
  using FrontPage = std::function<PipelinePage*()>;

  /// All that is given outlives the desk. `front`: the page before the person, or nullptr.
  DiagnoseDesk(QMainWindow& window, DiagnosisView& view, FrontPage front);
  void fillMenu(QMenu& menu);
  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// What hinders a diagnosis began or is over, or the page in front is another.
  void refresh();
  void start();
  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  QString statusWords() const;
  EngineJob& job() { return m_job; }
  DiagnosisView& view() { return m_view; }

 signals:
  void statusChanged();
  /// A diagnosis began or is over.
  void stateChanged();

 private:
  void take(const QJsonObject& event);
  QString editWords(const Advice& advice) const;
  QString whyNot(const Advice& advice) const;
  void apply(const Advice& advice);

  QMainWindow& m_window;
  DiagnosisView& m_view;
  FrontPage m_front;
  std::function<QString()> m_obstacle;
  EngineJob m_job;
  QJsonObject m_step;             ///< the last `progress`
  QPointer<PipelinePage> m_page;  ///< that is, or was, diagnosed
  QString m_title;
  QAction* m_begin;
};

}  // namespace millrace
