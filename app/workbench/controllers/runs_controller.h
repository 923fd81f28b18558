// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>

#include <QObject>
#include <QPointer>

#include "widgets/export/export_work.h"
#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

class QAction;
class QMainWindow;
class QMenu;
class QSettings;
class QStatusBar;
class QTabWidget;
class QToolBar;
class QUndoStack;

namespace millrace {

class Catalog;
class DocumentDocks;
class RunCount;
class RunsArea;

/// Kept runs and their comparison in the main window: a tab with its own docks, and one tab for
/// each kept pipeline that is shown. The docks of pipelines are hidden while one of these tabs is
/// in front. GUI thread.
class RunsController : public QObject {
  Q_OBJECT
 public:
  /// Opens a kept pipeline as a new document, in a tab that it returns.
  using Restore = std::function<QWidget*(const std::string& json, const QString& title)>;

  /// All arguments must outlive the controller.
  RunsController(QMainWindow& window, QTabWidget& tabs, DocumentDocks& docks, QSettings& settings,
                 const Catalog& catalog, Restore restore);
  ~RunsController() override;

  /// Why nothing may be measured now, as a sentence; empty if it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// The runs being measured again, "runs 3 and 4"; empty if there are none.
  QString measuring() const;
  void fillMenu(QMenu& menu);
  void fillToolBar(QToolBar& bar);
  void fillStatusBar(QStatusBar& bar);
  RunCount& count() { return *m_count; }
  /// Uses the store that was chosen in an earlier session, unless MILLRACE_STORE names one. If it
  /// cannot be read now, the status bar reports it, and the usual store is used.
  void returnToChosenStore();
  /// Shows the runs; they are read when they are first shown.
  void open();
  /// Shows the runs that match this query.
  void open(const QString& query);
  /// Shows a run's pipeline in a tab.
  void openRun(RunNumber run);
  /// Reads the newest runs; `done` is not called if they cannot be read.
  void askNewest(QObject* context, std::function<void(const std::vector<RunSummary>&)> done);
  /// Adds a tab of another controller that also hides the docks of pipelines. It must outlive the
  /// controller or be removed from the tabs before.
  void adopt(QWidget* tab);
  /// Call when a run has ended, because there is one more.
  void readAgain();
  /// Shows a trace that a run wrote, in a separate tab.
  void openTrace(const QString& file);
  /// Whether this tab belongs to the controller; the window then asks the controller to close it.
  bool owns(const QWidget* tab) const;
  void closeTab(QWidget* tab);
  /// The undo stack of the tab in front; nullptr if it has nothing to undo.
  QUndoStack* undoStackOf(const QWidget* tab) const;
  /// The text of the status bar while such a tab is in front.
  QString statusText() const;
  /// nullptr until it was opened.
  RunsArea* area() const { return m_area; }
  const std::filesystem::path& store() const { return m_store.file(); }

 signals:
  /// The runs are about to be shown.
  void opening();
  void statusChanged();
  /// Runs are read from and kept in another store from now on.
  void storeChanged(const std::filesystem::path& file);
  /// A measurement began or ended.
  void measuringChanged();
  /// The user wants to export a kept run as code.
  void exportRequested(const millrace::ExportSource& source);

 private:
  bool isAdopted(const QWidget* tab) const;
  void useStore();
  void showFront();
  using ThenPipeline = std::function<void(const RunSummary& run, const std::string& json)>;
  void askPipeline(RunNumber run, ThenPipeline then);
  void askExport(RunNumber run);
  struct OpenedRun;
  void showRun(RunNumber run, const OpenedRun& opened);
  void chooseTrace();
  void restoreRun(const RunSummary& run, const std::string& json);
  bool bringToFront(QWidget* tab);

  QMainWindow& m_window;
  QTabWidget& m_tabs;
  DocumentDocks& m_docks;
  QSettings& m_settings;
  const Catalog& m_catalog;
  Restore m_restore;
  std::function<QString()> m_obstacle;
  StoreThread m_store;
  RunsArea* m_area = nullptr;  ///< has no parent until it is a tab
  std::map<std::int64_t, QPointer<QWidget>> m_pages;
  std::map<std::int64_t, QPointer<QWidget>> m_restored;
  std::vector<QPointer<QWidget>> m_traces;
  std::vector<QPointer<QWidget>> m_adopted;
  QAction* m_open;
  QAction* m_openTrace;
  RunCount* m_count;
};

}  // namespace millrace
