// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTimer>
#include <QUndoStack>
#include <QWidget>

#include "widgets/runs/run_signal.h"
#include "widgets/runs/run_table_model.h"
#include "widgets/runs/run_table_view.h"

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace millrace {

class ColumnsPopup;
class NoteStrip;
class QueryLine;
class SavedViews;
class StoreImport;
struct SavedView;

/// The kept runs: query, table, labels, deletion, import and export. The page shows the store's
/// content and follows its changes while it is visible. GUI thread.
class RunsPage : public QWidget {
  Q_OBJECT
 public:
  /// `settings` keeps columns, pins and sorting. `usualColumns`: the default columns.
  RunsPage(StoreThread& store, const Catalog& catalog, QSettings& settings,
           const QStringList& usualColumns, QWidget* parent = nullptr);
  ~RunsPage() override;

  RunTableModel& model() { return *m_model; }
  RunTableView& view() { return *m_view; }
  QueryLine& queryLine() { return *m_query; }
  ColumnsPopup& columnsPopup() { return *m_columnsPopup; }
  SavedViews& savedViews() { return *m_saved; }
  /// Deletions, so that they can be undone.
  QUndoStack& undoStack() { return m_undo; }
  /// pin, baseline, open, restore, export_run, measure, rename, delete, copy_command, export_table,
  /// import, choose_store, read_again; the window adds further ones to the menu.
  QAction* action(const QString& name) const { return findChild<QAction*>("action_runs_" + name); }
  /// Adds an action of the window to the row of buttons and to the menu.
  void addButton(QAction* action);
  const QList<QAction*>& menuActions() const { return m_menuActions; }
  /// Call when the store may have changed.
  void readAgain();
  /// The sentence above the table; empty if there is no problem.
  QString problem() const;
  QString countText() const;
  /// Shows a sentence above the table until the user closes it, and emits `said`.
  void say(const QString& sentence);

  void setPins(const std::vector<RunNumber>& pins);
  void setBaseline(RunNumber run);
  void deleteRuns(const std::vector<RunNumber>& runs);
  /// The suffix selects csv or json. Written outside the GUI thread and the store's thread; `said`
  /// reports the file, `problem` an error.
  void exportTable(const QString& file);
  void importFrom(const QString& file);
  /// Reads another store from now on. A file that does not exist is made if the user agrees; any
  /// other file is refused in a sentence, and the present store stays.
  void takeStore(const QString& file);
  /// Copies a command line to the clipboard: one that repeats the selected run, compares several
  /// selected runs, or lists what the table lists.
  void copyCommand();
  /// The command line that lists or compares the same runs.
  QString command() const;
  /// Why the selected runs cannot be measured again, as a sentence; empty if they can.
  void setMeasureObstacle(const QString& sentence);

 signals:
  void chosenChanged();
  void openRequested(millrace::RunNumber run);
  void restoreRequested(millrace::RunNumber run);
  /// Asks to export the run's pipeline as code for another loader.
  void exportRequested(millrace::RunNumber run);
  /// Asks to measure both again, together; the first is the baseline if there is one.
  void measureRequested(millrace::RunNumber a, millrace::RunNumber b);
  /// The outcome of something that took time.
  void said(const QString& sentence);
  void counted(const QString& words);
  /// The user chose another store.
  void storeChosen();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  // runs_page.cpp
  void buildBar();
  void buildNotes();
  void buildTable();
  int roomForQuery() const;
  void fitBar();
  void showListing();
  void showState();
  void showProblem(const QString& sentence);
  void fillBaselines();
  void openColumns();
  void noteTrace();
  void checkStore();
  void keepRequest();
  void showView(const SavedView& view);
  void saveView();
  RunListRequest firstRequest() const;

  // runs_page_actions.cpp
  QAction* add(const QString& name, const QString& text, const QKeySequence& keys,
               const std::function<void()>& run, const QString& iconName = {});
  void buildActions();
  void refreshActions();
  void togglePin();
  void toggleGrouping();
  void measureChosen();
  void chooseExport();
  void chooseImport();
  void chooseStore();
  void offerNewStore(const QString& file);
  void useStore(const QString& file);

  StoreThread& m_store;
  const Catalog& m_catalog;
  QSettings& m_settings;
  QStringList m_usualColumns;
  RunTableModel* m_model;
  RunTableView* m_view;
  QueryLine* m_query;
  QLabel* m_mistake;
  QLabel* m_count;
  QLabel* m_chosenCount;
  QString m_measureObstacle;
  QToolButton* m_baseline;
  QMenu* m_baselineMenu;
  QToolButton* m_columns;
  ColumnsPopup* m_columnsPopup;
  SavedViews* m_saved;
  QToolButton* m_views;
  QWidget* m_bar;
  NoteStrip* m_problemNote = nullptr;
  NoteStrip* m_saidNote = nullptr;
  QPushButton* m_saidUndo = nullptr;
  NoteStrip* m_progressNote = nullptr;
  QProgressBar* m_progress = nullptr;
  QWidget* m_empty = nullptr;
  QLabel* m_emptyTitle = nullptr;
  QLabel* m_emptyText = nullptr;
  QPushButton* m_emptyButton = nullptr;
  QLabel* m_caption = nullptr;
  QStackedLayout* m_stack = nullptr;
  StoreImport* m_import = nullptr;
  QList<QAction*> m_menuActions;
  QList<QToolButton*> m_buttons;
  QUndoStack m_undo;
  QTimer m_watch;
  QString m_seen;  ///< trace of the file when it was last read
  bool m_looking = false;
  bool m_hidAny = false;
};

}  // namespace millrace
