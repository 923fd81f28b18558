// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QMainWindow>
#include <QSettings>
#include <QUndoGroup>

#include "widgets/canvas/editor/pipeline_page.h"

class QLabel;
class QMenu;
class QTabWidget;
class QToolBar;
class QToolButton;
class QUndoView;

namespace millrace {

class DataController;
class DataReportController;
class DiagnoseController;
class DocumentDocks;
class DocumentSaving;
class FileController;
class HelpWindow;
class InspectorPanel;
class LibraryPanel;
class LoaderController;
class NoticeBar;
class OutlinePanel;
class PreviewController;
class ProblemsPanel;
class RecentFiles;
class RunController;
class RunsController;
class SearchController;
class StartController;
class StatusNote;
class SweepController;
class TuneController;
class SearchPopup;
class ShortcutBook;
struct ExportSource;
struct FoundFile;

/// The workbench's window: composes pages, docks, menus and shortcuts. Knows no node kind and does
/// no work itself. GUI thread.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(const Catalog& catalog, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens a shipped example by name, otherwise a file or folder once it has been read; shows why
  /// it cannot be opened.
  void open(const QString& fileOrExample);
  /// Whether a file is still being read or written.
  bool isWaitingForFiles() const;
  /// Opens the files that were open when the window was closed last; false if there were none.
  bool reopenLast();
  /// Offers the documents that an earlier workbench left without saving.
  void offerRecovery();
  PipelinePage* page() const;
  QTabWidget& tabs() { return *m_tabs; }
  InspectorPanel& inspector() { return *m_inspector; }
  RunController& controller() { return *m_controller; }
  RunsController& runs() { return *m_runs; }
  SweepController& sweeps() { return *m_sweeps; }
  TuneController& tunes() { return *m_tunes; }
  LoaderController& loaders() { return *m_loaders; }
  DataReportController& dataReports() { return *m_dataReports; }
  DiagnoseController& diagnoses() { return *m_diagnoses; }
  PreviewController& previews() { return *m_previews; }
  StartController& start() { return *m_start; }
  DataController& data() { return *m_data; }
  ShortcutBook& shortcuts() { return *m_shortcuts; }
  NoticeBar& notices() { return *m_notices; }
  /// Opens the export of a pipeline or of a kept run.
  void openExport(ExportSource source);
  /// The context menu of docks' titles and tool bars: which docks are shown.
  QMenu* createPopupMenu() override;
  QAction* action(const QString& name) const { return findChild<QAction*>("action_" + name); }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  // main_window.cpp
  void buildDocks();
  void sizeDocks();
  void sizeDocksOnce();
  void fitToScreen();
  void buildStatus();
  void showProblem(const QString& node, const QString& field);
  void showMenu(QPoint at, const CanvasThing& thing);
  void inspect();
  void showWhatItDid();
  void addKind(const QString& kind);
  void warn(const QString& title, const QString& sentence);

  // main_state.cpp
  void showPage();
  void refreshState();
  void refreshReady();
  void foldProblems();
  void refreshDockActions();
  void refreshActions();

  // main_measuring.cpp
  void buildMeasuring();
  void buildStopping();
  QString whatMeasures() const;
  QString whyNotExamine() const;
  /// The jobs that have a tab.
  QList<SearchController*> searches() const;

  // main_actions.cpp
  QAction* add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& keys,
               const std::function<void()>& run, const QString& iconName = {});
  void buildActions();
  void buildFileMenu();
  void buildEditMenu();
  void buildViewMenu();
  void buildPipelineMenu();
  void buildToolBar();

  // main_dialogs.cpp
  void buildHelpMenu();
  void buildNotices();
  void openPalette();
  void go(const QString& key);
  void showHelp(const QString& kind);
  void copyDiagnosis();
  void showAbout();
  void resetLayout();
  void setAppearance(const QString& name);
  void exportPipeline();
  void watch(PipelinePage& page);
  void showNotices();
  void checkFilesAndData();

  // main_files.cpp
  PipelinePage* newPage();
  PipelinePage* pageToFill();
  void openFile(const QString& file);
  void take(const QString& path, const FoundFile& found);
  void reload(PipelinePage& page);
  void openExample(const QString& name);
  /// Opens a file as one undo step on an empty pipeline, in a tab that does not come to the front.
  void openAsStep(const QString& file, const QString& step,
                  const std::function<void(PipelinePage*)>& take);
  void buildStart();
  bool isUntouched(PipelinePage& page) const;
  void chooseFile();
  /// The document of a tab; nullptr for a tab of another kind.
  PipelinePage* pageAt(int index) const;
  PipelinePage* pageOf(const QString& path) const;
  /// Opens a kept pipeline as a new document.
  QWidget* restore(const std::string& json, const QString& title);
  void keepSession();
  void closePage(int index);
  /// Closes all tabs but the one in front.
  void closeOthers();
  void showTabMenu(QPoint at);
  void removePage(PipelinePage& page);

  const Catalog& m_catalog;
  QSettings m_settings;
  QUndoGroup m_undo;
  QTabWidget* m_tabs;
  DocumentDocks* m_docks;
  FileController* m_files;
  DocumentSaving* m_saving;
  LibraryPanel* m_library;
  OutlinePanel* m_outline;
  QUndoView* m_history;
  InspectorPanel* m_inspector;
  ProblemsPanel* m_problems;
  RunController* m_controller;
  RunsController* m_runs;
  SweepController* m_sweeps;
  TuneController* m_tunes;
  DataReportController* m_dataReports;
  LoaderController* m_loaders;
  DiagnoseController* m_diagnoses;
  PreviewController* m_previews = nullptr;
  StartController* m_start = nullptr;
  DataController* m_data = nullptr;
  QDockWidget* m_problemsDock = nullptr;
  int m_problemsWidth = 0;  ///< before the empty list was folded; 0: it is not
  RecentFiles* m_recent = nullptr;
  QMenu* m_docksMenu = nullptr;
  StatusNote* m_ready;
  QLabel* m_selected;
  StatusNote* m_machine;
  bool m_docksSized = false;  ///< since the window was shown
  bool m_fits = true;         ///< its size has been checked against the screen
  ShortcutBook* m_shortcuts = nullptr;
  SearchPopup* m_palette = nullptr;
  HelpWindow* m_help = nullptr;
  NoticeBar* m_notices = nullptr;
  QToolBar* m_noticeBar = nullptr;
  QByteArray m_firstLayout;
  std::vector<QMetaObject::Connection> m_pageConnections;
  QList<QToolButton*> m_wordyButtons;  ///< tool-bar buttons with text if there is room
  QToolButton* m_findButton = nullptr;
  QList<QAction*> m_pageActions;  ///< actions that need a document in front
};

}  // namespace millrace
