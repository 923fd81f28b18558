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
class StoreImport;

/// The runs that were kept: query, table, labels, deleting, import and export. A page over the
/// store: it shows what is there, and follows it while it can be seen. GUI thread.
class RunsPage : public QWidget {
  Q_OBJECT
 public:
  /// `settings` keeps columns, pins and sorting. `usualColumns`: what a person sees first.
  RunsPage(StoreThread& store, const Catalog& catalog, QSettings& settings,
           const QStringList& usualColumns, QWidget* parent = nullptr);
  ~RunsPage() override;

  RunTableModel& model() { return *m_model; }
  RunTableView& view() { return *m_view; }
  QueryLine& queryLine() { return *m_query; }
  ColumnsPopup& columnsPopup() { return *m_columnsPopup; }
  /// Deleting, so that it can be undone.
  QUndoStack& undoStack() { return m_undo; }
  /// pin, baseline, open, restore, export_run, measure, rename, delete, copy_command, export_table,
  /// import, choose_store, read_again; the window adds its own to the menu.
  QAction* action(const QString& name) const { return findChild<QAction*>("action_runs_" + name); }
  /// What the window adds to the row of buttons and to the menu.
  void addButton(QAction* action);
  const QList<QAction*>& menuActions() const { return m_menuActions; }
  /// The store may have changed.
  void readAgain();
  /// The sentence above the table; empty: nothing is wrong.
  QString problem() const;
  QString countWords() const;
  /// A sentence above the table until somebody puts it away, and by `said`.
  void say(const QString& sentence);

  void setPins(const std::vector<RunNumber>& pins);
  void setBaseline(RunNumber run);
  void deleteRuns(const std::vector<RunNumber>& runs);
  /// As the suffix says: csv or json. Written beside the GUI thread and the store's; `said` tells
  /// where to, `problem` why not.
  void exportTable(const QString& file);
  void importFrom(const QString& file);
  /// Puts the command line into the clipboard that does one chosen run again, compares several, or
  /// lists what the table lists.
  void copyCommand();
  /// The command line that lists, or compares, the same runs.
  QString command() const;
  /// Why the chosen runs cannot be measured again, as a sentence; empty: they can.
  void setMeasureObstacle(const QString& sentence);

 signals:
  void chosenChanged();
  void openRequested(millrace::RunNumber run);
  void restoreRequested(millrace::RunNumber run);
  /// As code for another loader.
  void exportRequested(millrace::RunNumber run);
  /// Both again, together; the first is the baseline where there is one.
  void measureRequested(millrace::RunNumber a, millrace::RunNumber b);
  /// How something that takes time has gone.
  void said(const QString& sentence);
  void counted(const QString& words);

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
  void look();
  void keepWish();
  RunListWish firstWish() const;

  // runs_page_actions.cpp
  QAction* add(const QString& name, const QString& text, const QKeySequence& keys,
               const std::function<void()>& run, const QString& iconName = {});
  void buildActions();
  void refreshActions();
  void togglePin();
  void measureChosen();
  void chooseExport();
  void chooseImport();
  void chooseStore();

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
  QString m_seen;  ///< of the file, when it was read last
  bool m_looking = false;
  bool m_hidAny = false;
};

}  // namespace millrace
