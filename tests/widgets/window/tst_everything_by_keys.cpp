// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#window-and-keys, #problems: dialogs by keys, what the palette finds, the keys
// at a glance, context menus, the docks for editing and running, and an empty document.
#include <memory>
#include <thread>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTimer>

#include "app/workbench/dialogs/cheat_sheet.h"
#include "app/workbench/dialogs/measure_dialog.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "app/workbench/window/canvas_menu.h"
#include "app/workbench/window/palette_entries.h"
#include "app/workbench/window/status_note.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/run_table.h"
#include "tests/widgets/window_bench.h"
#include "widgets/bridge/run_process.h"
#include "widgets/common/dialog_habits.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/search_popup.h"
#include "widgets/inspector/field_row.h"
#include "widgets/inspector/number_box.h"
#include "widgets/panels/problems_panel.h"

namespace millrace {

namespace {

/// A window with an example, in front.
struct Bench {
  explicit Bench(const QString& example = "classification") {
    QSettings("millrace", "workbench").clear();
    window = std::make_unique<MainWindow>(builtinCatalog());
    window->resize(1400, 900);
    window->show();
    window->activateWindow();
    ready = QTest::qWaitForWindowActive(window.get()) &&
            (example.isEmpty() || tests::openIn(*window, example)) && settles();
  }
  ~Bench() { QSettings("millrace", "workbench").clear(); }
  static bool settles() {
    for (int i = 0; i < 5; ++i) QTest::qWait(1);
    return true;
  }
  QDockWidget* dock(const char* name) { return window->findChild<QDockWidget*>(name); }
  QStringList menuFor(CanvasThing::Kind kind) {
    QMenu menu;
    CanvasThing thing;
    thing.kind = kind;
    thing.port = {"decode", true};
    fillCanvasMenu(menu, *window->page(), thing,
                   [this](const char* name) { return window->action(name); });
    QStringList texts;
    for (const QAction* action : menu.actions())
      if (!action->isSeparator()) texts << action->text().remove('&');
    return texts;
  }

  std::unique_ptr<MainWindow> window;
  bool ready = false;
};

/// The focus goes to the first number field of the dialog that is open.
NumberBox* focusedNumber(QDialog& dialog) {
  auto* box = dialog.findChild<NumberBox*>();
  if (box != nullptr) box->setFocus();
  return box;
}

}  // namespace

class TestEverythingByKeys : public QObject {
  Q_OBJECT
 private slots:
  void escapeAndOkWorkFromANumberField() {
    DialogHabits keys;
    qApp->installEventFilter(&keys);
    MeasureDialog dialog(MeasureChoice{});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QVERIFY(focusedNumber(dialog) != nullptr);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
    for (const Qt::KeyboardModifiers modifiers : {Qt::NoModifier, Qt::ControlModifier}) {
      MeasureDialog again(MeasureChoice{});
      again.show();
      QVERIFY(QTest::qWaitForWindowActive(&again));
      NumberBox* box = focusedNumber(again);
      box->findChild<QLineEdit*>()->selectAll();
      QTest::keyClicks(QApplication::focusWidget(), "7");
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, modifiers);
      QVERIFY(!again.isVisible());
      QCOMPARE(again.result(), static_cast<int>(QDialog::Accepted));
      QCOMPARE(again.chosen().warmupSeconds, 7.0);
    }
  }

  void aRunIsMeasuredWithWhatTheCommandLineHas() {
    MeasureChoice measure;
    measure.epochs = 2;
    measure.cold = true;
    measure.maxFailures = "5%";
    measure.name = "evening";
    measure.tags = {"nvme", "v2"};
    const QString command = RunProcess::commandOf("a.json", measure);
    QVERIFY2(command.contains("--epochs 2") && !command.contains("--seconds"), qPrintable(command));
    for (const char* part :
         {"--cold", "--max-failures 5%", "--name evening", "--tag nvme --tag v2"})
      QVERIFY2(command.contains(part), qPrintable(command));
    QVERIFY(!RunProcess::commandOf("a.json", {}).contains("--ranks"));
    MeasureDialog dialog(measure);
    QVERIFY(dialog.problem().isEmpty());
    measure.ranks = 2;
    QVERIFY(MeasureDialog(measure).problem().contains("exclude each other"));
    measure.cold = false;
    measure.maxFailures = "many";
    QVERIFY(!MeasureDialog(measure).problem().isEmpty());
    MeasureDialog wrong(measure);
    const auto* strip = wrong.findChild<NoteStrip*>();
    QVERIFY2(strip->words().contains("is not a failure limit") && !strip->words().contains('`'),
             qPrintable(strip->words()));
    QVERIFY(!strip->findChild<QLabel*>()->text().contains('`'));
  }

  void aMeasureSettingThatIsATextSaysWhatItTakes() {
    const MeasureDialog dialog{MeasureChoice{}};
    const auto captionOf = [&](const char* field) {
      return dialog.findChild<FieldRow*>(field)->findChild<QLabel*>("caption")->text();
    };
    QVERIFY(captionOf("field_max_failures").contains("such as 20 or 2%; empty: 1 %"));
    QVERIFY(captionOf("field_tags").contains("commas"));
    QVERIFY(captionOf("field_epochs").endsWith("; 0: a time is measured"));
  }

  void bothTimesOfTheMeasureSettingsHaveTheirUnit() {
    MeasureDialog dialog{MeasureChoice{}};
    dialog.show();
    Bench::settles();
    int units = 0;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      units += label->text() == "s" && label->isVisible() ? 1 : 0;
    QCOMPARE(units, 2);
  }

  void aDialogOpensAtTheSamePlaceEachTime() {
    DialogHabits habits;
    qApp->installEventFilter(&habits);
    QWidget window;
    window.setGeometry(100, 100, 500, 400);
    window.show();
    QDialog dialog(&window);
    dialog.resize(200, 120);
    dialog.show();
    const QRect first = dialog.geometry();
    QVERIFY((first.center() - window.geometry().center()).manhattanLength() <= 2);
    dialog.close();
    dialog.show();
    QCOMPARE(dialog.geometry(), first);
    // It stays on the screen, which may be small.
    const QRect screen = window.screen()->availableGeometry();
    dialog.close();
    window.move(-150, -150);
    dialog.show();
    QVERIFY(screen.contains(dialog.frameGeometry()));
    dialog.close();
    dialog.resize(screen.size() + QSize(100, 100));
    dialog.show();
    QVERIFY(screen.contains(dialog.frameGeometry()));
  }

  void enterPressesAButtonOutsideDialogs() {
    DialogHabits keys;
    qApp->installEventFilter(&keys);
    QWidget window;
    auto* button = new QPushButton("Recent", &window);
    int pressed = 0;
    connect(button, &QPushButton::clicked, this, [&] { ++pressed; });
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Return);
    QCOMPARE(pressed, 1);
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(pressed, 2);
  }

  void thePaletteFindsNodesSettingsKindsAndDocuments() {
    Bench bench;
    QVERIFY(bench.ready);
    QSettings("millrace", "workbench").setValue("recent", QStringList{"/some/where/mine.json"});
    bench.window->action("palette")->trigger();
    SearchPopup& palette =
        *bench.window->findChild<SearchPopup*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(palette.isVisible());
    QStringList keys;
    for (int row = 0; row < palette.list().count(); ++row) {
      keys << palette.list().item(row)->data(Qt::UserRole).toString();
      QVERIFY2(!palette.list().item(row)->icon().isNull(), qPrintable(keys.back()));
    }
    for (const char* wanted : {"action:action_run", "node:decode", "param:workers/count",
                               "add:blur", "file:/some/where/mine.json"})
      QVERIFY2(keys.contains(wanted), wanted);
    QTest::keyClicks(&palette.line(), "workers threads");
    QTest::keyClick(&palette.line(), Qt::Key_Return);
    QCOMPARE(bench.window->page()->session().selection.current(), NodeId("workers"));
  }

  void keptRunsAreFoundByNumberAndName() {
    RunSummary run;
    run.number = RunNumber{12};
    run.pipelineName = "classification";
    run.samplesPerSecond = 1345.4;
    const SearchEntry entry = runEntries({run}).front();
    QCOMPARE(entry.key, QString("run:12"));
    for (const char* typed : {"run 12", "classification"})
      QVERIFY2(searchRank(typed, QStringList{entry.text} + entry.names) <= SearchRank::Prefix,
               typed);
  }

  void theKeysAtAGlanceAreGroupedAndCurrent() {
    Bench bench;
    QVERIFY(bench.ready);
    bench.window->action("arrange")->setShortcut(QKeySequence("Ctrl+Alt+K"));
    bench.window->page()->session().editor.add("resize");
    bench.window->page()->session().document.undoStack().undo();
    CheatSheet sheet(bench.window->shortcuts(), *bench.window);
    QStringList titles;
    bool found = false;
    bool hasRedo = false;
    for (const CheatSheet::Group& group : sheet.groups()) {
      titles << group.title;
      for (const CheatSheet::Line& line : group.lines) {
        found = found || (line.text == "Arrange" && line.keys == "Ctrl+Alt+K");
        hasRedo = hasRedo || line.text == "Redo";
      }
    }
    QVERIFY2(hasRedo, "without the name of the step");
    const QSize wanted = sheet.size();
    sheet.show();
    sheet.resize(wanted);  // This screen is smaller than the window.
    QCoreApplication::processEvents();
    QCOMPARE(sheet.findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0);
    QVERIFY(titles.contains("Canvas") && titles.contains("Edit") && titles.contains("Run"));
    QVERIFY(found);
    QCOMPARE(bench.window->action("keys")->shortcut(), QKeySequence("?"));
  }

  void theKeysOfTheRunsAreAmongTheKeysAtAGlance() {
    Bench bench;
    QVERIFY(bench.ready);
    QStringList shown;
    for (const CheatSheet::Group& group : CheatSheet::groupsOf(bench.window->shortcuts()))
      if (group.title == "Table of runs")
        for (const CheatSheet::Line& line : group.lines) shown << line.keys + ' ' + line.text;
    const tests::KeptStore kept;
    const tests::RunTable table(kept.file());
    int keys = 0;
    for (const QAction* action : table.page.actions()) {
      if (action->shortcut().isEmpty()) continue;
      const QString line =
          action->shortcut().toString(QKeySequence::NativeText) + ' ' + plainText(*action);
      QVERIFY2(shown.contains(line), qPrintable(line));
      ++keys;
    }
    QVERIFY(keys >= 8);
  }

  void eachThingHasItsOwnMenu() {
    Bench bench;
    QVERIFY(bench.ready);
    using Kind = CanvasThing::Kind;
    const QStringList empty = bench.menuFor(Kind::Empty);
    for (const char* never : {"Cut", "Delete", "Delete and reconnect"})
      QVERIFY2(!empty.contains(never), never);
    QVERIFY(empty.contains("Add a node here…"));
    Selection& selection = bench.window->page()->session().selection;
    selection.set({"decode"});
    QVERIFY(bench.menuFor(Kind::Nodes).contains("Cut"));
    QVERIFY(!bench.menuFor(Kind::Nodes).contains("Align"));
    selection.set({"decode", "flip"});
    QVERIFY(bench.menuFor(Kind::Nodes).contains("Align"));
    QVERIFY(bench.menuFor(Kind::Port).contains("Delete its wire"));
    selection.setWire({"image_folder", "shuffle"});
    const QStringList wire = bench.menuFor(Kind::Wire);
    QVERIFY(wire.contains("Insert a node…") && !wire.contains("Cut"));
  }

  void aDocksTitleHasTheMenuOfTheDocks() {
    Bench bench;
    QVERIFY(bench.ready);
    const std::unique_ptr<QMenu> menu(bench.window->createPopupMenu());
    QStringList texts;
    for (const QAction* action : menu->actions()) texts << action->text().remove('&');
    for (const char* never : {"Main", "Run", "Notices"}) QVERIFY2(!texts.contains(never), never);
    QVERIFY(texts.contains("Nodes") && texts.contains("Reset layout"));
  }

  void theEditingDocksKeepTheirSizesOverARun() {
    Bench bench;
    QVERIFY(bench.ready);
    MainWindow& window = *bench.window;
    window.resizeDocks({bench.dock("nodes"), bench.dock("inspector")}, {251, 377}, Qt::Horizontal);
    window.resizeDocks({bench.dock("preview")}, {260}, Qt::Vertical);
    Bench::settles();
    const QSize before = bench.dock("inspector")->size();
    const QSize preview = bench.dock("preview")->size();
    for (int i = 0; i < 2; ++i) {
      window.action("swap_docks")->trigger();
      Bench::settles();
      QVERIFY(bench.dock("run_throughput")->isVisible());
      window.action("swap_docks")->trigger();
      Bench::settles();
      QCOMPARE(bench.dock("inspector")->size(), before);
      QCOMPARE(bench.dock("preview")->size(), preview);
    }
    window.action("swap_docks")->trigger();
    Bench::settles();
    window.close();
    // The next start begins with editing.
    MainWindow next(builtinCatalog());
    next.show();
    QVERIFY(tests::openIn(next, "classification"));
    Bench::settles();
    QVERIFY(next.findChild<QDockWidget*>("preview")->isVisible());
    QVERIFY(!next.findChild<QDockWidget*>("run_throughput")->isVisible());
  }

  void theOpenFilesAreOpenAtTheNextStart() {
    Bench bench;
    QVERIFY(bench.ready);
    const tests::TemporaryFolder folder;
    for (const char* name : {"one.millrace.json", "two.millrace.json"}) {
      folder.write(name, *exampleJson("classification"));
      QVERIFY(tests::openIn(*bench.window, fileText(folder.path() / name)));
    }
    bench.window->close();
    MainWindow next(builtinCatalog());
    QVERIFY(next.reopenLast());
    QVERIFY(QTest::qWaitFor([&] { return !next.isWaitingForFiles(); }, tests::kGenerousMs));
    QStringList titles;
    for (int i = 0; i < next.tabs().count(); ++i) titles << next.tabs().tabText(i);
    QCOMPARE(titles, QStringList({"one.millrace.json", "two.millrace.json"}));
  }

  void anEmptyDocumentHasNoError() {
    Bench bench(QString{});
    QVERIFY(bench.ready);
    bench.window->action("new")->trigger();
    EditSession& session = bench.window->page()->session();
    QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, tests::kGenerousMs));
    QCOMPARE(session.problems.rowCount(), 0);
    QCOMPARE(bench.window->findChild<QLabel*>("ready")->text(), QString("Empty pipeline"));
    QVERIFY(!bench.window->action("run")->isEnabled());
  }

  void theCountOfProblemsOpensThem() {
    Bench bench;
    QVERIFY(bench.ready);
    EditSession& session = bench.window->page()->session();
    session.selection.set({"flip"});
    session.editor.removeSelected(Healing::Cut);
    QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, tests::kGenerousMs));
    QVERIFY(session.problems.problems() > 0);
    bench.dock("problems")->hide();
    auto* ready = bench.window->findChild<StatusNote*>("ready");
    QTest::mouseClick(ready, Qt::LeftButton);
    QVERIFY(bench.dock("problems")->isVisible());
  }

  void aPipelineWithoutWorkersGetsAHint() {
    Bench bench;
    QVERIFY(bench.ready);
    EditSession& session = bench.window->page()->session();
    const int before = session.problems.problems();
    session.selection.set({"workers"});
    session.editor.removeSelected(Healing::Heal);
    QVERIFY(QTest::qWaitFor([&] { return session.check.isCurrent(); }, tests::kGenerousMs));
    if (std::thread::hardware_concurrency() < 2) QSKIP("There is only one core.");
    const int last = session.problems.rowCount() - 1;
    QVERIFY(last >= 0 && session.problems.index(last).data(ProblemsModel::HintRole).toBool());
    QCOMPARE(session.problems.problems(), before);
  }

  void anEmptyListOfProblemsTakesNoRoom() {
    Bench bench;
    QVERIFY(bench.ready);
    const EditSession& session = bench.window->page()->session();
    if (session.problems.rowCount() > 0) QSKIP("This machine causes a warning.");
    QVERIFY2(bench.dock("problems")->width() <= 190,
             qPrintable(QString::number(bench.dock("problems")->width())));
    bench.dock("preview")->hide();
    Bench::settles();
    QVERIFY2(bench.dock("problems")->height() <= 70,
             qPrintable(QString::number(bench.dock("problems")->height())));
  }
};

}  // namespace millrace

using millrace::TestEverythingByKeys;
MILLRACE_TEST_CASE(TestEverythingByKeys)
#include "tst_everything_by_keys.moc"
