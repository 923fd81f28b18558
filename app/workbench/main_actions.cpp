// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, shortcuts and the tool bar of MainWindow.
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/workbench/main_window.h"
#include "app/workbench/run_desk.h"
#include "app/workbench/runs_desk.h"
#include "core/samples/examples.h"
#include "core/spec/catalog_text.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// What can be done without a document in front.
const QStringList kWithoutPage = {"new",     "open",     "close", "quit",
                                  "palette", "all_help", "about", "reset_layout"};

/// Every action that can be done now, by its words and shortcut.
std::vector<SearchEntry> actionEntries(const QMainWindow& window) {
  std::vector<SearchEntry> entries;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (!action->objectName().startsWith("action_") || !action->isEnabled()) continue;
    const QString text = QString(action->text()).remove('&').remove("…");
    entries.push_back({action->objectName(), text,
                       action->shortcut().toString(QKeySequence::NativeText), text.toLower(),
                       action->icon()});
  }
  return entries;
}

}  // namespace

QAction* MainWindow::add(QMenu& menu, const QString& name, const QString& text,
                         const QKeySequence& keys, const std::function<void()>& run,
                         const QString& iconName) {
  auto* action = new QAction(text, this);
  action->setObjectName("action_" + name);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  action->setShortcut(keys);
  QString plain = text;
  plain.remove('&').remove("…");
  action->setToolTip(keys.isEmpty()
                         ? plain
                         : QString("%1 (%2)").arg(plain, keys.toString(QKeySequence::NativeText)));
  const bool needsPage = !kWithoutPage.contains(name);
  if (needsPage) m_pageActions << action;
  connect(action, &QAction::triggered, this, [this, run, needsPage] {
    if (page() != nullptr || !needsPage) run();
  });
  menu.addAction(action);
  return action;
}

void MainWindow::buildActions() {
  m_context = new QMenu(this);
  buildFileMenu();
  buildEditMenu();
  buildViewMenu();
  buildPipelineMenu();
  m_desk->fillMenu(*menuBar()->addMenu("&Run"));
  m_runs->fillMenu(*menuBar()->addMenu("R&uns"));
  buildHelpMenu();
  buildToolBar();
  for (const char* name : {"add_behind", "connect", "bypass", "plain", "rename"})
    m_context->addAction(action(name));
  m_context->addSeparator();
  for (const char* name : {"cut", "copy", "paste", "duplicate", "delete", "delete_heal"})
    m_context->addAction(action(name));
  m_context->addSeparator();
  for (const char* name : {"add", "arrange", "node_help"}) m_context->addAction(action(name));
}

void MainWindow::buildFileMenu() {
  QMenu& menu = *menuBar()->addMenu("&File");
  add(menu, "new", "&New", QKeySequence::New, [this] { newPage(); }, "newf");
  add(menu, "open", "&Open…", QKeySequence::Open, [this] { chooseFile(); }, "open");
  m_recent = menu.addMenu("Open &recent");
  QMenu& shipped = *menu.addMenu("Open &example");
  for (const Example& example : examples()) {
    const QString name = toQt(example.name);
    QAction* action = shipped.addAction(name, this, [this, name] { open(name); });
    action->setToolTip(toQt(example.description));
  }
  shipped.setToolTipsVisible(true);
  menu.addSeparator();
  add(menu, "save", "&Save", QKeySequence::Save, [this] { save(*page()); }, "save");
  add(menu, "save_as", "Save &as…", QKeySequence("Ctrl+Shift+S"), [this] { saveAs(*page()); });
  menu.addSeparator();
  add(menu, "close", "&Close", QKeySequence("Ctrl+W"),
      [this] { closePage(m_tabs->currentIndex()); });
  add(menu, "quit", "&Quit", QKeySequence("Ctrl+Q"), [this] { close(); });
  refillRecent();
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
  add(menu, "delete_heal", "Delete and &reconnect", QKeySequence("Ctrl+Del"),
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
  add(menu, "zoom_100", "&100 %", QKeySequence("Ctrl+1"),
      [=] { view().setZoom(1, view().viewport()->rect().center()); });
  add(
      menu, "fit", "&Show everything", QKeySequence("F"), [=] { view().fit(); }, "fit")
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
    action->setCheckable(true);
    action->setChecked(m_settings.value("appearance", "system").toString() == name);
    group->addAction(action);
  }
  QMenu& docks = *menu.addMenu("&Docks");
  for (QDockWidget* dock : findChildren<QDockWidget*>()) docks.addAction(dock->toggleViewAction());
  add(menu, "reset_layout", "&Reset layout", {}, [this] { resetLayout(); });
}

void MainWindow::buildPipelineMenu() {
  QMenu& menu = *menuBar()->addMenu("&Pipeline");
  const auto editor = [this]() -> PipelineEditor& { return page()->session().editor; };
  // Space itself is the canvas's: it also pans.
  add(
      menu, "add", "&Add a node…", QKeySequence("Shift+A"),
      [this] { page()->view().searchAt(page()->view().middle()); }, "plus");
  add(menu, "add_behind", "Add &behind…", QKeySequence("A"),
      [this] { page()->view().searchBehindCurrent(); });
  add(
      menu, "connect", "&Connect to…", QKeySequence("C"), [this] { page()->view().searchTarget(); },
      "link");
  menu.addSeparator();
  add(menu, "bypass", "B&ypass", QKeySequence("B"), [=] { editor().toggleBypass(); });
  add(menu, "plain", "&Drain in its place, or back", QKeySequence("D"),
      [=] { editor().togglePlainConsumer(); });
  add(menu, "rename", "&Rename…", QKeySequence("F2"), [this] { renameSelected(); });
  menu.addSeparator();
  add(
      menu, "comment", "Co&mment…", QKeySequence("Shift+C"), [this] { page()->writeComment(); },
      "note");
  add(menu, "group", "&Group…", QKeySequence("Ctrl+G"), [this] { page()->nameGroup(); });
  add(menu, "ungroup", "&Ungroup", QKeySequence("Ctrl+Shift+G"),
      [=] { editor().ungroupSelected(); });
  menu.addSeparator();
  add(menu, "arrange", "Arran&ge", QKeySequence("Ctrl+L"), [=] { editor().arrange(); }, "arrange");
}

void MainWindow::buildHelpMenu() {
  QMenu& menu = *menuBar()->addMenu("&Help");
  add(
      menu, "node_help", "&About this node", QKeySequence("F1"),
      [this] {
        const NodeSpec* spec =
            page()->session().document.specOf(page()->session().selection.current());
        if (spec != nullptr) showHelp(toQt(spec->kind));
      },
      "help");
  auto* palette = new SearchPopup(this);
  add(
      menu, "palette", "&Find an action…", QKeySequence("Ctrl+Shift+P"),
      [this, palette] {
        const QPoint top = mapToGlobal(QPoint((width() - 300) / 2, 60));
        palette->open("Find an action", actionEntries(*this), top, [this](const QString& name) {
          if (auto* action = findChild<QAction*>(name)) action->trigger();
        });
      },
      "search");
  add(menu, "all_help", "All &nodes", {}, [this] { showHelp({}); });
  menu.addSeparator();
  add(menu, "about", "About &Millrace", {}, [this] { showAbout(); });
}

void MainWindow::buildToolBar() {
  auto* bar = addToolBar("Main");
  bar->setObjectName("main_bar");
  bar->setMovable(false);
  bar->setIconSize(QSize(18, 18));
  for (const char* name : {"new", "open", "save"}) bar->addAction(action(name));
  bar->addSeparator();
  for (const char* name : {"undo", "redo"}) bar->addAction(action(name));
  bar->addSeparator();
  m_desk->fillToolBar(*bar);
  m_runs->fillToolBar(*bar);
  bar->addSeparator();
  for (const char* name : {"add", "connect", "arrange", "fit"}) bar->addAction(action(name));
  auto* room = new QWidget;
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(room);
  bar->addAction(action("palette"));
}

void MainWindow::renameSelected() {
  EditSession& session = page()->session();
  const NodeId id = session.selection.current();
  if (id.empty()) return;
  bool ok = false;
  const QString name = QInputDialog::getText(
      this, "Rename",
      "Name of this node: a to z, then a to z, 0 to 9, _ and -.\nIts random draws follow the name.",
      QLineEdit::Normal, toQt(id), &ok);
  if (ok && !name.isEmpty()) session.editor.rename(id, fromQt(name));
}

void MainWindow::showHelp(const QString& kind) {
  Catalog shown;
  if (const NodeSpec* spec = m_catalog.find(fromQt(kind))) shown.add(*spec);
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle("Help");
  dialog->resize(760, 560);
  auto* column = new QVBoxLayout(dialog);
  auto* text = new QTextBrowser;
  text->setMarkdown(toQt(catalogMarkdown(kind.isEmpty() ? m_catalog : shown)));
  column->addWidget(text);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  dialog->show();
}

void MainWindow::showAbout() {
  QMessageBox::about(
      this, "About Millrace",
      QString("<b>Millrace %1</b><p>Keeps a GPU fed.</p><p>Workbench: "
              "GPL-3.0-or-later. Engine and command line: Apache-2.0.</p><p>Qt %2</p>")
          .arg(MILLRACE_VERSION, qVersion()));
}

void MainWindow::resetLayout() { restoreState(m_firstLayout); }

void MainWindow::setAppearance(const QString& name) {
  m_settings.setValue("appearance", name);
  applyTheme(name == "dark"    ? Appearance::Dark
             : name == "light" ? Appearance::Light
                               : Appearance::System);
}

}  // namespace millrace
