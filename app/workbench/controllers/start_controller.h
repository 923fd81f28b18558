// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

#include <QList>
#include <QObject>
#include <QPointer>

#include "widgets/bridge/folder_scan.h"

class QMainWindow;
class QSettings;
class QShortcut;
class QStackedWidget;
class QToolBar;
class QWidget;

namespace millrace {

class Catalog;
class DocumentDocks;
class PipelinePage;
class RunController;
class StartPage;
struct StartOffer;

/// The start of the main window: the start page, and folders that are dropped or opened anywhere.
/// While no document is open the page takes the place of all tabs; asked for at another time, it is
/// a tab. GUI thread.
class StartController : public QObject {
  Q_OBJECT
 public:
  /// What the window does for the controller.
  struct Hooks {
    /// Opens a document without a file, in a new or empty page. `isOwn`: made from the user's
    /// data, so that it exists nowhere else and counts as unsaved.
    std::function<PipelinePage*(std::string_view text, const QString& title, bool isOwn)> openText;
    std::function<void(const QString& fileOrExample)> open;
    std::function<void()> newPage;
    std::function<void()> chooseFile;
    std::function<void()> openLoader;
    /// Whether only an empty, untouched page is open.
    std::function<bool()> nothingOpen;
    std::function<void(const QString& title, const QString& sentence)> warn;
    /// Adds a tab, or brings it to the front.
    std::function<void(QWidget* tab, const QString& title)> showTab;
    /// Removes a tab, which stays alive; does nothing if there is none.
    std::function<void(QWidget* tab)> closeTab;
  };

  /// All arguments must outlive the controller.
  StartController(QMainWindow& window, DocumentDocks& docks, const Catalog& catalog,
                  QSettings& settings, RunController& runs, Hooks hooks);

  /// The central widget of the window, which holds `documents` or the start page in their place.
  QWidget* around(QWidget* documents);
  StartPage& page() { return *m_page; }
  /// Whether it is in the place of all tabs.
  bool isShown() const;
  /// Whether the user wants the page at the start.
  bool isWanted() const;
  void show();
  /// As a tab if something is open.
  void showBesideDocuments();
  /// Returns to the documents as they were; a tab stays.
  void leave();
  /// Returns to the empty document; if there are others, opens one more.
  void leaveForNew();
  /// Call when documents were opened, edited or closed.
  void refresh();

  /// Whether this path is data and not a document.
  static bool isData(const QString& path);
  /// Scans the path and proposes a pipeline, on the start page or as a new document.
  void propose(const QString& path);
  /// Lets the user choose a folder and does the same for it.
  void chooseFolder();

 signals:
  /// The start page was shown or hidden.
  void changed();
  /// Asks to examine the data of the document that was just opened.
  void examineRequested();

 private:
  void prepare();
  void close();
  void open(const StartOffer& offer);
  void run(const StartOffer& offer);
  void runWhenChecked();
  void takeFolder(const QString& folder, const FolderContent& content);
  void askWhich(const QString& folder, const FolderContent& content);

  QMainWindow& m_window;
  DocumentDocks& m_docks;
  const Catalog& m_catalog;
  QSettings& m_settings;
  RunController& m_runs;
  Hooks m_hooks;
  StartPage* m_page;
  QShortcut* m_runKeys;  ///< the keys of Run, which has no pipeline while the page is shown
  QStackedWidget* m_stack;
  FolderScan m_scan;                 ///< for folders that arrive while documents are shown
  QList<QPointer<QToolBar>> m_bars;  ///< the tool bars that it has hidden
  QPointer<PipelinePage> m_toRun;
};

}  // namespace millrace
