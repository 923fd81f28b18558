// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, shortcuts and the tool bar of MainWindow.
#include <QActionGroup>
#include <QDockWidget>
#include <QMenuBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QUndoView>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/desktop_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/run_count.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "app/workbench/window/document_saving.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/recent_files.h"
#include "core/open/examples.h"
#include "widgets/common/house_style.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr QSize kBarIcon(18, 18);

/// Whether an action needs a document in front.
bool needsPage(const QString& name) {
  static const QStringList without = {
      "new",       "new_from_folder", "open",  "quit",         "palette", "help",      "keys",
      "shortcuts", "copy_diagnosis",  "about", "reset_layout", "tour",    "start_page"};
  return !without.contains(name) && !name.startsWith("example_") && !name.startsWith("close");
}

}  // namespace

QAction* MainWindow::add(QMenu& menu, const QString& name, const QString& text,
                         const QKeySequence& keys, const std::function<void()>& run,
                         const QString& iconName) {
  auto* action = new QAction(text, this);
  action->setObjectName("action_" + name);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  action->setShortcut(keys);
  const QString plain = plainText(*action);
  action->setToolTip(keys.isEmpty()
                         ? plain
                         : QString("%1 (%2)").arg(plain, keys.toString(QKeySequence::NativeText)));
  const bool paged = needsPage(name);
  if (paged) m_pageActions << action;
  connect(action, &QAction::triggered, this, [this, run, paged] {
    if (page() != nullptr || !paged) run();
  });
  menu.addAction(action);
  return action;
}

void MainWindow::buildActions() {
  buildFileMenu();
  buildEditMenu();
  buildViewMenu();
  buildPipelineMenu();
  QMenu& run = *menuBar()->addMenu("&Run");
  m_controller->fillMenu(run);
  run.addSeparator();
  m_diagnoses->fillMenu(run);
  for (SearchController* search : searches()) search->fillMenu(run);
  run.addSeparator();
  findChild<DesktopController*>()->fillMenu(run);
  m_runs->fillMenu(*menuBar()->addMenu("R&uns"));
  buildHelpMenu();
  buildToolBar();
  buildNotices();
  m_shortcuts = new ShortcutBook(*this, m_settings);
}

void MainWindow::buildFileMenu() {
  QMenu& menu = *menuBar()->addMenu("&File");
  add(
      menu, "new", "&New", QKeySequence::New,
      [this] {
        if (m_start->isShown())
          m_start->leaveForNew();
        else
          newPage();
      },
      "newf");
  add(
      menu, "new_from_folder", "New from a &folder of data…", QKeySequence("Ctrl+Shift+N"),
      [this] { m_start->chooseFolder(); }, "source");
  add(menu, "open", "&Open…", QKeySequence::Open, [this] { chooseFile(); }, "open");
  m_loaders->fillFileMenu(menu);
  add(menu, "start_page", "Start pa&ge", {}, [this] { m_start->showBesideDocuments(); }, "mill");
  m_recent = new RecentFiles(m_settings, *menu.addMenu("Open &recent"), this);
  connect(m_recent, &RecentFiles::chosen, this, &MainWindow::open);
  QMenu& shipped = *menu.addMenu("Open exa&mple");
  for (const Example& example : examples()) {
    const QString name = toQt(example.name);
    QAction* action = add(shipped, "example_" + name, name, {}, [this, name] { open(name); });
    action->setToolTip(toQt(example.description));
    action->setProperty("alone", "Open example " + name);
  }
  shipped.setToolTipsVisible(true);
  menu.addSeparator();
  add(menu, "save", "&Save", QKeySequence::Save, [this] { m_saving->save(*page()); }, "save");
  add(menu, "save_as", "Save &as…", QKeySequence("Ctrl+Shift+S"),
      [this] { m_saving->saveAs(*page()); });
  add(
      menu, "export", "&Export as code…", QKeySequence("Ctrl+E"), [this] { exportPipeline(); },
      "export");
  menu.addSeparator();
  add(menu, "close", "&Close", QKeySequence("Ctrl+W"),
      [this] { closePage(m_tabs->currentIndex()); });
  add(menu, "close_others", "Close o&thers", {}, [this] { closeOthers(); });
  add(menu, "quit", "&Quit", QKeySequence("Ctrl+Q"), [this] { close(); });
}

void MainWindow::buildEditMenu() {
  QMenu& menu = *menuBar()->addMenu("&Edit");
  QAction* undo = m_undo.createUndoAction(this, "&Undo");
  undo->setObjectName("action_undo");
  undo->setIcon(icon("undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = m_undo.createRedoAction(this, "&Redo");
  redo->setObjectName("action_redo");
  redo->setIcon(icon("redo"));
  redo->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
  menu.addActions({undo, redo});
  add(menu, "history", "&History", QKeySequence("Ctrl+Shift+H"), [this] {
    auto* dock = findChild<QDockWidget*>("history");
    dock->show();
    dock->raise();
    m_history->setFocus();
  })->setToolTip("List the steps of this pipeline, and go back to any of them (Ctrl+Shift+H)");
  menu.addSeparator();
  const auto edit = [this](void (PipelineEditor::*act)()) {
    return [this, act] { (page()->session().editor.*act)(); };
  };
  add(menu, "cut", "Cu&t", QKeySequence::Cut, edit(&PipelineEditor::cut));
  add(menu, "copy", "&Copy", QKeySequence::Copy, edit(&PipelineEditor::copy), "copy");
  add(menu, "paste", "&Paste", QKeySequence::Paste,
      [this] { page()->session().editor.paste(Incoming::Drop); });
  add(menu, "paste_wired", "Paste with incoming &wires", QKeySequence("Ctrl+Shift+V"),
      [this] { page()->session().editor.paste(Incoming::Keep); });
  add(menu, "duplicate", "&Duplicate", QKeySequence("Ctrl+D"), edit(&PipelineEditor::duplicate));
  menu.addSeparator();
  add(menu, "delete", "De&lete", QKeySequence::Delete,
      [this] { page()->session().editor.removeSelected(Healing::Cut); });
  add(menu, "delete_heal", "Delete and reco&nnect", QKeySequence("Ctrl+Del"),
      [this] { page()->session().editor.removeSelected(Healing::Heal); });
  menu.addSeparator();
  add(menu, "select_all", "Select &all", QKeySequence::SelectAll, edit(&PipelineEditor::selectAll));
}

void MainWindow::buildViewMenu() {
  QMenu& menu = *menuBar()->addMenu("&View");
  const auto view = [this]() -> CanvasView& { return page()->view(); };
  add(
      menu, "zoom_in", "Zoom &in", QKeySequence("Ctrl++"), [=] { view().zoomBy(1.25); }, "zoomin")
      ->setShortcuts({QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")});
  add(menu, "zoom_out", "Zoom &out", QKeySequence("Ctrl+-"), [=] { view().zoomBy(1 / 1.25); });
  add(menu, "zoom_100", "&100 %", QKeySequence("Ctrl+1"), [=] {
    view().setZoom(1, view().viewport()->rect().center());
  })->setProperty("alone", "Zoom to 100 %");
  add(
      menu, "fit", "&Show everything", QKeySequence("F"), [=] { view().showAll(); }, "fit")
      ->setShortcuts({QKeySequence("F"), QKeySequence("Ctrl+0")});
  menu.addSeparator();
  QAction* minimap = add(
      menu, "minimap", "&Minimap", QKeySequence("Alt+M"),
      [this] { page()->setMinimapWanted(action("minimap")->isChecked()); }, "map");
  minimap->setCheckable(true);
  minimap->setChecked(true);
  QAction* streams = add(menu, "streams", "S&treams on wires", QKeySequence("Alt+W"), [this] {
    page()->scene().setStreamsShown(action("streams")->isChecked());
  });
  streams->setCheckable(true);
  menu.addSeparator();
  QMenu& appearance = *menu.addMenu("&Appearance");
  auto* group = new QActionGroup(this);
  for (const char* name : {"system", "light", "dark"}) {
    QString text = name;
    text[0] = text[0].toUpper();
    QAction* action = appearance.addAction(text, this, [this, name] { setAppearance(name); });
    action->setObjectName(QString("action_appearance_") + name);
    action->setProperty("alone", QString("Appearance: ") + name);
    action->setCheckable(true);
    action->setChecked(m_settings.value("appearance", "system").toString() == name);
    group->addAction(action);
  }
  m_docksMenu = menu.addMenu("&Docks");
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    m_docksMenu->addAction(dock->toggleViewAction());
    // A dock that shares its place with others comes to the front.
    connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
      if (shown) dock->raise();
    });
  }
  add(menu, "reset_layout", "&Reset layout", {}, [this] { resetLayout(); });
}

QMenu* MainWindow::createPopupMenu() {
  auto* menu = new QMenu(this);
  menu->setObjectName("docks_menu");
  for (QAction* dock : m_docksMenu->actions()) menu->addAction(dock);
  menu->addSeparator();
  for (const char* name : {"swap_docks", "reset_layout"}) menu->addAction(action(name));
  return menu;
}

void MainWindow::buildPipelineMenu() {
  QMenu& menu = *menuBar()->addMenu("&Pipeline");
  const auto editor = [this]() -> PipelineEditor& { return page()->session().editor; };
  // The Space key itself belongs to the canvas, where it also pans.
  add(
      menu, "add", "&Add a node…", QKeySequence("Shift+A"),
      [this] { page()->view().searchAt(page()->view().middle()); }, "plus");
  add(menu, "add_behind", "Add a&fter…", QKeySequence("A"),
      [this] { page()->view().searchAfterCurrent(); });
  add(
      menu, "connect", "&Connect to…", QKeySequence("C"), [this] { page()->view().searchTarget(); },
      "link");
  menu.addSeparator();
  add(menu, "bypass", "B&ypass", QKeySequence("B"), [=] { editor().toggleBypass(); });
  add(menu, "plain", "Replace by &drain, or back", QKeySequence("D"),
      [=] { editor().togglePlainConsumer(); });
  add(menu, "rename", "&Rename", QKeySequence("F2"),
      [this] { page()->renameNode(page()->session().selection.current()); });
  menu.addSeparator();
  add(
      menu, "comment", "Co&mment…", QKeySequence("Shift+C"), [this] { page()->writeComment(); },
      "note");
  add(menu, "group", "&Group…", QKeySequence("Ctrl+G"), [this] { page()->nameGroup(); });
  add(menu, "ungroup", "&Ungroup", QKeySequence("Ctrl+Shift+G"),
      [=] { editor().ungroupSelected(); });
  add(menu, "choose", "C&hoose among these", {}, [=] { editor().chooseAmongSelected(); });
  menu.addSeparator();
  QMenu& align = *menu.addMenu("A&lign");
  const auto edge = [=, this, &align](const char* name, const char* text, Qt::Edge at) {
    add(align, name, text, {}, [=] {
      editor().align(at);
    })->setProperty("alone", QString("Align ") + QString(text).remove('&').toLower());
  };
  edge("align_left", "&Left edges", Qt::LeftEdge);
  edge("align_right", "&Right edges", Qt::RightEdge);
  edge("align_top", "&Top edges", Qt::TopEdge);
  edge("align_bottom", "&Bottom edges", Qt::BottomEdge);
  align.addSeparator();
  add(align, "distribute_across", "Distribute &across", {},
      [=] { editor().distribute(Qt::Horizontal); });
  add(align, "distribute_down", "Distribute &down", {}, [=] { editor().distribute(Qt::Vertical); });
  add(
      menu, "arrange", "Arra&nge", QKeySequence("Ctrl+L"), [this] { page()->arrange(); },
      "arrange");
}

void MainWindow::buildToolBar() {
  auto* bar = addToolBar("Main");
  bar->setObjectName("main_bar");
  bar->setMovable(false);
  bar->setIconSize(kBarIcon);
  for (const char* name : {"new", "open", "save"}) bar->addAction(action(name));
  bar->addSeparator();
  for (const char* name : {"undo", "redo"}) bar->addAction(action(name));
  bar->addSeparator();
  m_controller->fillToolBar(*bar);
  bar->addSeparator();
  m_sweeps->fillToolBar(*bar);
  m_runs->fillToolBar(*bar);
  action("export")->setIconText("Export");
  bar->addAction(action("export"));
  for (QAction* action : bar->actions().mid(bar->actions().size() - 3))
    m_wordyButtons << qobject_cast<QToolButton*>(bar->widgetForAction(action));
  bar->addSeparator();
  for (const char* name : {"add", "connect", "arrange", "fit"}) bar->addAction(action(name));
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(room);
  bar->addAction(action("palette"));
  m_findButton = qobject_cast<QToolButton*>(bar->widgetForAction(action("palette")));
  m_findButton->setProperty("framed", true);
}

/// With little room, the tool bar's buttons are reduced to icons.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const auto dress = [this](QToolButton& button, int least) {
    const bool worded = width() >= least;
    button.setToolButtonStyle(worded ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button.setIconSize(worded ? withRoomForText(kBarIcon) : kBarIcon);
  };
  constexpr int kRoomForText = 1000;
  constexpr int kRoomForSearch = 1320;
  for (QToolButton* button : m_wordyButtons) dress(*button, kRoomForText);
  dress(*m_findButton, kRoomForSearch);
  m_runs->count().setShort(width() < kRoomForText);
}

}  // namespace millrace
