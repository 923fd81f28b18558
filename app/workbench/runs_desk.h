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

/// The runs that were kept and what is compared of them, as part of the main window: a tab of its
/// own with docks of its own, and a tab for each kept pipeline that is looked at. The docks of
/// pipelines are away while one of these is in front. GUI thread.
class RunsDesk : public QObject {
  Q_OBJECT
 public:
  /// What takes a kept pipeline as a new document.
  using Restore = std::function<void(const std::string& json, const QString& title)>;

  /// What is given outlives the desk.
  RunsDesk(QMainWindow& window, QTabWidget& tabs, DocumentDocks& docks, QSettings& settings,
           const Catalog& catalog, Restore restore);
  ~RunsDesk() override;

  /// Why nothing may be measured now, as a sentence; empty: it may.
  void setObstacle(std::function<QString()> obstacle) { m_obstacle = std::move(obstacle); }
  /// What is being measured again now, "runs 3 and 4"; empty: nothing.
  QString measuring() const;
  void fillMenu(QMenu& menu);
  void fillToolBar(QToolBar& bar);
  void fillStatusBar(QStatusBar& bar);
  RunCount& count() { return *m_count; }
  /// Brings the runs to the front; they are read when that happens first.
  void open();
  /// The same, with what this query finds.
  void open(const QString& query);
  /// A tab of another desk for which the docks of pipelines are put away too. It outlives the desk,
  /// or is no tab any more.
  void adopt(QWidget* tab);
  /// A run has ended: there is one more.
  void readAgain();
  /// Whether this tab is one of the desk's; the window then asks it to close it.
  bool owns(const QWidget* tab) const;
  void closeTab(QWidget* tab);
  /// Of the tab in front; nullptr where that has nothing to undo.
  QUndoStack* undoStackOf(const QWidget* tab) const;
  /// What the status bar says while such a tab is in front.
  QString statusWords() const;
  /// nullptr until it was opened.
  RunsArea* area() const { return m_area; }
  const std::filesystem::path& store() const { return m_store.file(); }

 signals:
  /// The runs are about to come to the front.
  void opening();
  void statusChanged();
  /// A measurement began or is over.
  void measuringChanged();
  /// A kept run is to be taken away as code.
  void exportAsked(const millrace::ExportSource& source);

 private:
  bool isAdopted(const QWidget* tab) const;
  void showFront();
  void askPipeline(RunNumber run, std::function<void(const std::string&, const QString&)> then);
  void askExport(RunNumber run);
  void openRun(RunNumber run);

  QMainWindow& m_window;
  QTabWidget& m_tabs;
  DocumentDocks& m_docks;
  QSettings& m_settings;
  const Catalog& m_catalog;
  Restore m_restore;
  std::function<QString()> m_obstacle;
  StoreThread m_store;
  RunsArea* m_area = nullptr;  ///< parentless until it is a tab
  std::map<std::int64_t, QPointer<QWidget>> m_pages;
  std::vector<QPointer<QWidget>> m_adopted;
  QAction* m_open;
  RunCount* m_count;
};

}  // namespace millrace
