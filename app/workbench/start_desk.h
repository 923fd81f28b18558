// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

#include <QList>
#include <QObject>
#include <QPointer>

#include "widgets/bridge/folder_look.h"

class QMainWindow;
class QSettings;
class QStackedWidget;
class QToolBar;
class QWidget;

namespace millrace {

class Catalog;
class DocumentDocks;
class PipelinePage;
class RunDesk;
class StartPage;
struct StartOffer;

/// The first minute, as part of the main window: the start page in place of the documents while
/// none is open, and folders that are dropped or opened anywhere. GUI thread.
class StartDesk : public QObject {
  Q_OBJECT
 public:
  /// What the window does for it.
  struct Hooks {
    /// A document without a file, in the page that is to be filled.
    std::function<PipelinePage*(std::string_view text, const QString& title)> openText;
    std::function<void(const QString& fileOrExample)> open;
    std::function<void()> newPage;
    std::function<void()> chooseFile;
    /// Whether there is nothing but an empty page that nobody has touched.
    std::function<bool()> nothingOpen;
    std::function<void(const QString& title, const QString& sentence)> tell;
  };

  /// All outlive the desk.
  StartDesk(QMainWindow& window, DocumentDocks& docks, const Catalog& catalog, QSettings& settings,
            RunDesk& runs, Hooks hooks);

  /// What to put into the middle of the window: `documents`, or the start page in their place.
  QWidget* around(QWidget* documents);
  StartPage& page() { return *m_page; }
  bool isShown() const;
  /// Whether the person wants it at the start.
  bool isWanted() const;
  void show();
  /// Back to the documents, as they stood.
  void leave();
  /// Back to the empty document; where there are others, to one more.
  void leaveForNew();
  /// Documents were opened, edited or closed.
  void refresh();

  /// Whether this path is a person's data, not a document.
  static bool isData(const QString& path);
  /// Looks at it and proposes a pipeline, on the start page or as a new document.
  void propose(const QString& path);
  /// The same for a folder that the person names now.
  void chooseFolder();

 signals:
  /// The start page came or went.
  void changed();

 private:
  void open(const StartOffer& offer);
  void run(const StartOffer& offer);
  void runWhenChecked();
  void takeFolder(const QString& folder, const FolderContent& content);

  QMainWindow& m_window;
  DocumentDocks& m_docks;
  const Catalog& m_catalog;
  QSettings& m_settings;
  RunDesk& m_runs;
  Hooks m_hooks;
  StartPage* m_page;
  QStackedWidget* m_stack;
  FolderLook m_look;                 ///< for folders that come while documents are shown
  QList<QPointer<QToolBar>> m_bars;  ///< that it put away
  QPointer<PipelinePage> m_toRun;
};

}  // namespace millrace
