// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: the content of the cells of the table of runs, and the room for
// it.
#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStandardItemModel>
#include <QToolButton>

#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/run_table.h"
#include "widgets/common/theme.h"
#include "widgets/compare/measure_again.h"
#include "widgets/runs/columns_popup.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/run_cell_delegate.h"

namespace millrace {

namespace {

using tests::kColumns;
using tests::kGenerousMs;
using Table = tests::RunTable;

/// A cell of the rate, drawn in this width.
QImage drawnRate(const QString& rate, int width) {
  QStandardItemModel model(1, 1);
  const QModelIndex index = model.index(0, 0);
  model.setData(index, static_cast<int>(RunColumn::Kind::Rate), RunTableModel::KindRole);
  model.setData(index, rate, Qt::DisplayRole);
  model.setData(index, "12 100 to 12 900", RunTableModel::DetailRole);
  QImage image(width, 28, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  const RunCellDelegate delegate;
  delegate.paint(&painter, option, index);
  return image;
}

/// A cell of the change, drawn after such a verdict.
QImage drawnChange(const QString& change, VerdictKind verdict) {
  QStandardItemModel model(1, 1);
  const QModelIndex index = model.index(0, 0);
  model.setData(index, static_cast<int>(RunColumn::Kind::Change), RunTableModel::KindRole);
  model.setData(index, change, Qt::DisplayRole);
  model.setData(index, static_cast<int>(verdict), RunTableModel::VerdictRole);
  QImage image(160, 28, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  RunCellDelegate().paint(&painter, option, index);
  return image;
}

/// The first column of the picture with this colour; -1 if there is none.
int firstOf(const QImage& image, Tone tone) {
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y)
      if (image.pixelColor(x, y) == theme()[tone]) return x;
  return -1;
}

bool becomes(Table& table, RunNumber run, const QString& verdict) {
  return QTest::qWaitFor([&] { return table.text(run, "verdict") == verdict; }, kGenerousMs);
}

QString tipOf(Table& table, RunNumber run, const QString& column) {
  return table.cell(run, column).data(Qt::ToolTipRole).toString();
}

}  // namespace

class TestRunsTable : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(Appearance::Light); }

  void aRateKeepsItsFirstDigitInANarrowColumn() {
    for (int width = 60; width <= 240; width += 4)
      QVERIFY2(drawnRate("12 345", width) != drawnRate("92 345", width),
               qPrintable(QString::number(width)));
  }

  /// Colour alone would not be enough for users who cannot see it: arrow and sign mean the same.
  void aClearChangeHasSignArrowAndColour() {
    const QString change = QString("+50.0") + QChar(0xA0) + '%';
    const QImage faster = drawnChange(change, VerdictKind::Faster);
    const QImage slower = drawnChange(change, VerdictKind::Slower);
    const QImage open = drawnChange(change, VerdictKind::TooFew);
    QVERIFY(firstOf(faster, Tone::Faster) >= 0 && firstOf(faster, Tone::Slower) < 0);
    QVERIFY(firstOf(slower, Tone::Slower) >= 0 && firstOf(slower, Tone::Faster) < 0);
    QVERIFY(firstOf(open, Tone::Faster) < 0 && firstOf(open, Tone::Slower) < 0);
    // The arrow is left of the figure, which begins at the same place or further right than without
    // one.
    const int arrow = QFontMetrics(uiFont(13, true)).horizontalAdvance("▲ ");
    const int words = 160 - 8 - QFontMetrics(uiFont(13, true)).horizontalAdvance(change);
    QVERIFY2(firstOf(faster, Tone::Faster) <= words - arrow / 2,
             qPrintable(QString("%1 %2").arg(firstOf(faster, Tone::Faster)).arg(words)));
  }

  void theRatesHaveEnoughRoom() {
    const tests::KeptStore kept;
    kept.add({.rates = {12345678, 12345678, 12345678}});
    Table table(kept.file());
    table.page.resize(700, 500);
    const int rate = static_cast<int>(kColumns.indexOf("samples_per_second"));
    QVERIFY(QTest::qWaitFor(
        [&] {
          return table.page.view().columnWidth(rate) >=
                 leastCellWidth(table.cell(RunNumber{1}, "samples_per_second"));
        },
        kGenerousMs));
  }

  void anOpenVerdictIsExplained() {
    const tests::KeptStore kept;
    const RunNumber base = kept.add({.rates = {100, 101, 99}});
    const RunNumber noisy = kept.add({.workers = 4, .rates = {103, 104, 103}, .disturbed = 2});
    const RunNumber going = kept.add({.workers = 5, .rates = {103}, .goesOn = true});
    VERIFY_OK(kept.open().setBaseline(base));
    Table table(kept.file());
    QVERIFY2(becomes(table, noisy, "disturbed (2 of 3)"), qPrintable(table.text(noisy, "verdict")));
    QVERIFY2(tipOf(table, noisy, "verdict").contains("2 of 3 repeats of run 2"),
             qPrintable(tipOf(table, noisy, "verdict")));
    QVERIFY2(becomes(table, going, "still running"), qPrintable(table.text(going, "verdict")));
    QVERIFY2(tipOf(table, going, "verdict").startsWith("Run 3 is still running."),
             qPrintable(tipOf(table, going, "verdict")));
  }

  void aDisturbedBaselineIsReported() {
    const tests::KeptStore kept;
    const RunNumber base = kept.add({.rates = {100, 101, 99}, .disturbed = 3});
    const RunNumber quiet = kept.add({.workers = 4, .rates = {103, 104, 103}});
    VERIFY_OK(kept.open().setBaseline(base));
    Table table(kept.file());
    QVERIFY2(becomes(table, quiet, "baseline disturbed (3 of 3)"),
             qPrintable(table.text(quiet, "verdict")));
  }

  void theVerdictIsUpdatedWhenTheRunIsOver() {
    const tests::KeptStore kept;
    const RunNumber base = kept.add({.rates = {100, 101, 99}});
    const tests::KeptStore::Run run{.workers = 4, .rates = {103}, .goesOn = true};
    const RunNumber going = kept.add(run);
    VERIFY_OK(kept.open().setBaseline(base));
    Table table(kept.file());
    QVERIFY(becomes(table, going, "still running"));
    kept.goOn(going, 1, {.workers = 4, .rates = {103, 103, 103}});
    QVERIFY2(becomes(table, going, "no difference"), qPrintable(table.text(going, "verdict")));
  }

  void aRunOfATrainingProgramIsMarked() {
    const tests::KeptStore kept;
    const RunNumber measured = kept.add({.name = "measured"});
    const RunNumber trained = kept.add({.name = "trained", .origin = "training"});
    VERIFY_OK(kept.open().setBaseline(trained));
    Table table(kept.file());
    const auto detail = [&](RunNumber run) {
      return table.cell(run, "samples_per_second").data(RunTableModel::DetailRole).toString();
    };
    QCOMPARE(detail(trained), QString("training"));
    QVERIFY(detail(measured).contains(" to "));
    QVERIFY2(tipOf(table, trained, "samples_per_second").contains("training program"),
             qPrintable(tipOf(table, trained, "samples_per_second")));
  }

  void theQueryHasRoomForAnExample_data() {
    QTest::addColumn<int>("width");
    for (const int width : {800, 1240, 1389, 1900})
      QTest::newRow(QByteArray::number(width)) << width;
  }
  void theQueryHasRoomForAnExample() {
    QFETCH(int, width);
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.name = "a name of many letters", .workers = i});
    VERIFY_OK(kept.open().setBaseline(RunNumber{1}));
    Table table(kept.file());
    table.page.addButton(table.page.action("export_table"));
    table.page.addButton(table.page.action("copy_command"));
    table.choose({RunNumber{2}, RunNumber{3}});
    table.page.resize(width, 500);
    const QueryLine& line = table.page.queryLine();
    const int letters = line.fontMetrics().horizontalAdvance(line.placeholderText());
    QVERIFY(QTest::qWaitFor([&] { return line.width() >= letters + 40; }, kGenerousMs));
    for (const QToolButton* button : table.page.findChildren<QToolButton*>())
      if (button->isVisibleTo(&table.page) && button->parentWidget() == line.parentWidget())
        QVERIFY2(button->geometry().right() < width, qPrintable(button->text()));
  }

  void aNameCanBeEditedFromAnyCell() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.name = "run", .workers = i});
    Table table(kept.file());
    RunTableView& view = table.page.view();
    table.choose({RunNumber{2}});
    view.selectionModel()->setCurrentIndex(table.cell(RunNumber{2}, "samples_per_second"),
                                           QItemSelectionModel::NoUpdate);
    table.page.action("rename")->trigger();
    QVERIFY(view.isEditing());
    auto* editor = view.viewport()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->setText("fast");
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(
        QTest::qWaitFor([&] { return table.text(RunNumber{2}, "name") == "fast"; }, kGenerousMs));
    // The selected run, although the focus is on another.
    view.selectionModel()->setCurrentIndex(table.cell(RunNumber{3}, "verdict"),
                                           QItemSelectionModel::NoUpdate);
    QVERIFY(view.editLabel());
    QCOMPARE(view.currentIndex(), table.cell(RunNumber{2}, "name"));
  }

  void aColumnIsListedOnce() {
    const tests::KeptStore kept;
    kept.add({});
    Table table(kept.file());
    ColumnsPopup& popup = table.page.columnsPopup();
    popup.open(
        {{"name", "Name"}, {"failed_samples", "Failed samples"}, {"batch.size", "Batch › Size"}},
        {"name"}, {});
    const auto words = [&](int row) { return popup.list().item(row)->text(); };
    QCOMPARE(words(0), QString("Name"));
    QCOMPARE(words(1), QString("Failed samples"));
    QCOMPARE(words(2), QString("Batch › Size   batch.size"));
    // It is also found by the name that queries use.
    popup.line().setText("failed_sam");
    QCOMPARE(words(0), QString("Failed samples"));
    QVERIFY(!popup.list().item(0)->isHidden() && popup.list().item(1)->isHidden());
  }

  void theCauseOfDisturbedBlocksIsReported() {
    const tests::KeptStore kept;
    StoreThread store(kept.file());
    QTemporaryDir folder;
    MeasureAgain measure(store, builtinCatalog());
    measure.job().setProgram(tests::writeEngine(folder.path(), tests::kSayHello + R"sh(
echo '{"event":"block","replaced":true,"disturbed":true,"rates":[1,2],"disturbance":"other programs took 12 % of the cores"}'
echo '{"event":"progress","done":0,"of":5,"seconds_left":60}'
read stop
echo '{"event":"result","verdict":{"kind":"faster","sentence":"B is 5 % faster than A"},"disturbance":"1 of 5 blocks disturbed, 1 measured again (other programs took 12 % of the cores)"}')sh"));
    measure.start(RunNumber{1}, RunNumber{2});
    const auto says = [&](const char* words) {
      return QTest::qWaitFor([&] { return measure.words().contains(words); }, kGenerousMs);
    };
    QVERIFY2(says("1 disturbed block measured again (other programs took 12 % of the cores)"),
             qPrintable(measure.words()));
    measure.stop();
    QVERIFY2(
        says("Run 2 is 5 % faster than run 1. 1 of 5 blocks disturbed, 1 measured again (other "
             "programs took 12 % of the cores)."),
        qPrintable(measure.words()));
  }

  void measuringAgainHasTheSameNameEverywhere() {
    const tests::KeptStore kept;
    kept.add({});
    Table table(kept.file());
    const QAction* measure = table.page.action("measure");
    QCOMPARE(measure->iconText(), QString("Measure both again"));
  }
};

}  // namespace millrace

using millrace::TestRunsTable;
MILLRACE_TEST_CASE(TestRunsTable)
#include "tst_runs_table.moc"
