// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#preview: in the dock of the main window with the real engine.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>

#include "app/workbench/controllers/preview_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/codecs/encode.h"
#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/preview/closer_view.h"
#include "widgets/preview/field_facts.h"
#include "widgets/preview/picture_canvas.h"
#include "widgets/preview/preview_panel.h"
#include "widgets/preview/thumbnail_model.h"
#include "widgets/preview/thumbnail_view.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

const char* const kCropped = R"({"format_version": 1, "seed": 3, "nodes": [
  {"id": "source", "kind": "synthetic", "params": {"content": "image", "height": 60, "width": 80,
   "channels": 3, "count": 40, "classes": 4}},
  {"id": "random_crop", "kind": "random_crop", "params": {"width": 24, "height": 24}},
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "batch", "kind": "batch", "params": {"size": 10}},
  {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
  {"id": "step", "kind": "emulated_step", "params": {"seconds": 0.01}}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "random_crop"},
            {"from": "random_crop", "to": "batch"}, {"from": "batch", "to": "prefetch"},
            {"from": "prefetch", "to": "step"}]})";

/// A window manager that activates the window of a widget at the second click of a double click.
class ClickToFocus final : public QObject {
 public:
  explicit ClickToFocus(QWidget& clicked) { clicked.installEventFilter(this); }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::MouseButtonDblClick)
      static_cast<QWidget*>(watched)->window()->activateWindow();
    return QObject::eventFilter(watched, event);
  }
};

/// The workbench with a document and its preview.
class PreviewBench {
 public:
  explicit PreviewBench(const std::string& pipeline = kCropped) : window(builtinCatalog()) {
    folder.write("mine.millrace.json", pipeline);
    preview().setProgram(tests::kMillrace);
    window.controller().session().process().setProgram(tests::kMillrace);
    window.resize(1389, 868);
    window.show();
    ready = tests::openIn(window, fileText(folder.path() / "mine.millrace.json"));
  }
  PreviewPanel& panel() { return window.previews().panel(); }
  PreviewSession& preview() { return panel().preview(); }
  EditSession& session() { return window.page()->session(); }
  template <class T>
  T* part(const char* name) {
    return panel().findChild<T*>(name);
  }
  QString note() { return part<QLabel>("preview_note")->text(); }
  bool waits(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }
  bool settles() {
    return waits([this] {
      return !panel().isAtWork() && preview().fresh() == preview().samples().size() &&
             !preview().samples().empty();
    });
  }
  const ShownField& firstField() { return preview().samples().front().fields.front(); }
  void set(const char* setting) {
    session().document.edit("test",
                            *applySetting(session().document.graph(), builtinCatalog(), setting));
  }

  tests::TemporaryFolder folder;
  MainWindow window;
  bool ready = false;
};

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT
 private slots:
  void aProblemOfASettingNamesTheNodeAndTheSettingAsTheWindowDoes() {
    PreviewBench bench(R"({"format_version": 1, "nodes": [
      {"id": "image_folder", "kind": "image_folder"}, {"id": "decode", "kind": "decode"}],
      "wires": [{"from": "image_folder", "to": "decode"}]})");
    QVERIFY(bench.ready);
    QVERIFY2(bench.waits([&] { return bench.note().contains("Image folder › Folders"); }),
             qPrintable(bench.note()));
  }

  void theSelectedNodesOutputIsShown() {
    PreviewBench bench;
    QAbstractItemModelTester tester(bench.panel().thumbnails().model());
    QVERIFY(bench.ready && bench.settles());
    // Nothing is selected: samples come from after the last node that changes them, which the list
    // names.
    QCOMPARE(bench.preview().samples().size(), 16U);
    QCOMPARE(bench.part<QComboBox>("preview_node")->currentData().toString(),
             QString("random_crop"));
    QCOMPARE(bench.firstField().shapeText(), QString("24 × 24 × 3"));
    bench.session().selection.set({"source"});
    QVERIFY(bench.waits([&] { return bench.firstField().shapeText() == "60 × 80 × 3"; }));
    QCOMPARE(bench.part<QComboBox>("preview_node")->currentData().toString(), QString("source"));
    QVERIFY(bench.settles());
    QVERIFY2(bench.panel().factsText().contains("u8 · 60 × 80 × 3 · HWC") &&
                 bench.panel().factsText().contains("mean"),
             qPrintable(bench.panel().factsText()));
  }

  void theListSelectsTheNode() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    auto* nodes = bench.part<QComboBox>("preview_node");
    nodes->setCurrentIndex(nodes->findData("source"));
    emit nodes->activated(nodes->currentIndex());
    QCOMPARE(bench.session().selection.current(), NodeId("source"));
  }

  /// The promised limit, relaxed only if other programs use the machine.
  void theFirstThumbnailFollowsAnEditAtOnce() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    bench.set("random_crop.width=16");
    QVERIFY(bench.waits([&] {
      return bench.preview().fresh() > 0 && bench.firstField().shapeText() == "24 × 16 × 3";
    }));
    bench.session().document.undoStack().undo();
    QVERIFY(bench.waits([&] { return bench.firstField().shapeText() == "24 × 24 × 3"; }));
  }

  void movingANodeCausesNoRequest() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    int changes = 0;
    connect(&bench.preview(), &PreviewSession::changed, this, [&] { ++changes; });
    bench.session().editor.move({{"source", QPointF(300, 300)}});
    QVERIFY(bench.session().document.isModified());
    QVERIFY(bench.waits([&] { return !bench.panel().isAtWork(); }));
    QCOMPARE(changes, 0);
  }

  void nextAndPreviousGoThroughTheEpochAndBeyond() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    QCOMPARE(bench.panel().rangeText(), QString("1–16 of 40"));
    auto* next = bench.part<QToolButton>("preview_next");
    auto* previous = bench.part<QToolButton>("preview_previous");
    QVERIFY(!previous->isEnabled());
    next->click();
    QVERIFY(bench.waits([&] { return bench.panel().rangeText() == "17–32 of 40"; }));
    QVERIFY(bench.settles());
    next->click();
    QVERIFY(bench.waits(
        [&] { return bench.panel().rangeText() == "33–40 of 40, then 8 of the next epoch"; }));
    // In the bar, which keeps room for the names of nodes, it is shorter.
    const QList<QLabel*> labels = bench.panel().findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->text() == "33–40 of 40 + 8" && label->toolTip().endsWith("of the next epoch");
    }));
    previous->click();
    previous->click();
    QVERIFY(bench.waits([&] { return bench.panel().rangeText() == "1–16 of 40"; }));
    QVERIFY(!previous->isEnabled());
  }

  void anotherSeedChangesTheSamplesAndCanBeReset() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    const QImage own = bench.firstField().picture;
    QCOMPARE(bench.part<QLineEdit>("preview_seed")->text(), QString("3"));
    auto* back = bench.part<QToolButton>("preview_own_seed");
    QVERIFY(back->isHidden());
    auto* line = bench.part<QLineEdit>("preview_seed");
    line->setText("4711");
    emit line->textEdited("4711");
    QVERIFY(bench.waits([&] { return bench.settles() && bench.firstField().picture != own; }));
    QVERIFY(!bench.session().document.isModified());
    QVERIFY(!back->isHidden());
    back->click();
    QVERIFY(bench.waits([&] { return bench.settles() && bench.firstField().picture == own; }));
    bench.part<QToolButton>("preview_dice")->click();
    QVERIFY(line->text() != "3");
  }

  void masksAreDrawnOverOrNextToTheirPicture() {
    tests::TemporaryFolder data;
    const std::vector<std::uint8_t> photo(20 * 10 * 3, 200);
    std::vector<std::uint8_t> mask(20 * 10, 0);
    std::fill(mask.begin() + 100, mask.end(), 3);
    const auto keep = [&](const char* name, const std::vector<std::uint8_t>& bytes, int channels) {
      const auto png = encodePng({bytes.data(), 20, 10, channels, 20 * channels});
      data.write(name, std::string(reinterpret_cast<const char*>(png->data()), png->size()));
    };
    keep("images/a.png", photo, 3);
    keep("masks/a.png", mask, 1);
    PreviewBench bench(R"({"format_version": 1, "nodes": [{"id": "pairs", "kind": "paired_folders",
      "params": {"input": ")" +
                       (data.path() / "images").string() + R"(", "target": ")" +
                       (data.path() / "masks").string() + R"(", "pair": "mask"}}]})");
    QVERIFY(bench.ready && bench.settles());
    const ShownSample& sample = bench.preview().samples().front();
    QVERIFY(sample.mask() != nullptr);
    // Class 0, which the engine drew black, is transparent.
    QCOMPARE(qAlpha(sample.mask()->picture.pixel(5, 2)), 0);
    QCOMPARE(qAlpha(sample.mask()->picture.pixel(5, 8)), 255);
    ThumbnailView& view = bench.panel().thumbnails();
    QCOMPARE(view.mask().place, MaskPlace::Over);
    const int over = view.cellSize().width();
    auto* button = bench.part<QToolButton>("preview_mask");
    QVERIFY(!button->isHidden());
    button->click();
    QCOMPARE(view.mask().place, MaskPlace::Beside);
    QVERIFY(view.cellSize().width() > over);
    // The legend names the classes with their colours and shares.
    const QString facts = bench.panel().factsText();
    QVERIFY2(facts.contains("■") && facts.contains("class 0") && facts.contains("class "),
             qPrintable(facts));
    QCOMPARE(sample.fields.back().maskClasses.size(), std::size_t{2});
  }

  void theLegendNamesEveryClassOfAMask() {
    ShownSample sample;
    ShownField& mask = sample.fields.emplace_back();
    mask.name = "mask";
    for (int i = 0; i < 12; ++i) mask.maskClasses.push_back({i, 1.0 / 12, {}, {}});
    const QString facts = fieldFacts({sample});
    QVERIFY2(facts.contains("class 11") && !facts.contains("more"), qPrintable(facts));
  }

  void theSizeOfSamplesFollowsTheSliderAndTheWheel() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    ThumbnailView& view = bench.panel().thumbnails();
    auto* slider = bench.part<QSlider>("preview_size");
    slider->setValue(120);
    QCOMPARE(view.side(), 120);
    QVERIFY(view.gridSize().height() > 120);
    const QPoint at = view.viewport()->rect().center();
    QWheelEvent wheel(at, view.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &wheel);
    QVERIFY(view.side() > 120);
    QCOMPARE(slider->value(), view.side());
  }

  void theClassesOfTheShownSamplesAreCounted() {
    PreviewBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"source"});
    QVERIFY(bench.settles());
    const QString facts = bench.panel().factsText();
    QVERIFY2(facts.contains("4 classes here: "), qPrintable(facts));
    // "134 2" would read as a number.
    static const QRegularExpression names("here: \\S+ \\(\\d+\\), \\S+ \\(\\d+\\), ");
    QVERIFY2(facts.contains(names), qPrintable(facts));
  }

  void theNameOfTheNodeIsWholeInTheUsualWidth() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    auto* nodes = bench.part<QComboBox>("preview_node");
    bench.panel().setFixedWidth(625);
    QCoreApplication::processEvents();
    constexpr int kArrow = 34;
    const QFontMetrics metrics(nodes->font());
    const int room = nodes->width() - kArrow;
    QVERIFY2(room >= metrics.horizontalAdvance("Precision and layout"),
             qPrintable(QString::number(room)));
  }

  void picturesOutsideClassFoldersHaveNoClassNamedByADot() {
    const tests::TemporaryFolder data;
    for (const char* name : {"a.png", "b.png"}) {
      QImage picture(16, 16, QImage::Format_RGB888);
      picture.fill(Qt::red);
      QVERIFY(picture.save(toQt((data.path() / name).string())));
    }
    PreviewBench bench(R"({"format_version": 1, "nodes": [{"id": "source", "kind": "image_folder",
      "params": {"paths": [")" +
                       data.path().string() + R"("]}}]})");
    QVERIFY(bench.ready && bench.settles());
    const QString facts = bench.panel().factsText();
    QVERIFY2(facts.contains("1 class here: without a class folder (16)"), qPrintable(facts));
    QVERIFY(bench.preview().samples().front().labelText().isEmpty());
  }

  void statisticsAreOfOneSettingWhileThumbnailsChange() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    bool mixed = false;
    connect(&bench.preview(), &PreviewSession::changed, this, [&] {
      const std::size_t fresh = bench.preview().fresh();
      if (fresh == 0 || fresh == bench.preview().samples().size()) return;
      mixed = mixed || bench.panel().factsText().contains("several shapes");
      QVERIFY(bench.panel().factsText().startsWith(
          fresh == 1 ? bench.preview().samples().front().name.section('/', -1)
                     : QString("%1 samples").arg(fresh)));
    });
    bench.set("random_crop.width=16");
    QVERIFY(bench.waits([&] { return bench.firstField().shapeText() == "24 × 16 × 3"; }));
    QVERIFY(bench.settles());
    QVERIFY(!mixed);
  }

  void aLargeSampleHasZoomPixelValuesAndTheSampleBefore() {
    PreviewBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"random_crop"});
    QVERIFY(bench.settles());
    bench.panel().thumbnails().setCurrentIndex(bench.panel().thumbnails().model()->index(0, 0));
    emit bench.panel().thumbnails().opened(0);
    CloserView* closer = bench.panel().closer();
    QVERIFY(closer != nullptr);
    const auto hasValues = [&] {
      return !closer->sample().fields.empty() && closer->sample().fields[0].values.has_value();
    };
    QVERIFY(bench.waits(hasValues));
    PictureCanvas& canvas = closer->canvas();
    const QPoint middle = canvas.rect().center();
    const auto reading = canvas.reading(middle);
    QVERIFY(reading.has_value());
    QCOMPARE(reading->values.size(), std::size_t{3});
    QVERIFY(std::abs(reading->x - 12) <= 1 && std::abs(reading->y - 12) <= 1);
    QMouseEvent move(QEvent::MouseMove, middle, canvas.mapToGlobal(middle), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &move);
    QVERIFY2(closer->pixelText().contains("x 1"), qPrintable(closer->pixelText()));
    // The values are of the sample that is shown, not of one before.
    QTest::keyClick(closer, Qt::Key_Right);
    QCOMPARE(closer->pixelText(), canvas.reading(middle)->text());
    QTest::keyClick(closer, Qt::Key_Left);
    QVERIFY(bench.waits(hasValues));
    canvas.zoomBy(8, middle);
    QCOMPARE(canvas.zoom(), 8.0);
    const auto closerReading = canvas.reading(middle);
    QVERIFY(closerReading && closerReading->x == reading->x && closerReading->y == reading->y);
    QTest::keyClick(closer, Qt::Key_0);
    QCOMPARE(canvas.zoom(), 1.0);
    QTest::keyClick(closer, Qt::Key_B);
    QVERIFY(bench.waits([&] { return canvas.panes().size() == 2; }));
    QCOMPARE(canvas.panes()[0].sample.fields[0].shapeText(), QString("60 × 80 × 3"));
    QCOMPARE(canvas.panes()[0].sample.place, canvas.panes()[1].sample.place);
    QTest::keyClick(closer, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    canvas.zoomBy(8, middle);
    closer->hide();
    emit bench.panel().thumbnails().opened(1);
    QCOMPARE(canvas.zoom(), 1.0);
    QVERIFY2(closer->pixelText().startsWith("Point at"), qPrintable(closer->pixelText()));
  }

  void aClickShowsASampleLargeAndArrowsGoToOthers() {
    PreviewBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"source"});
    QVERIFY(bench.settles());
    ThumbnailView& view = bench.panel().thumbnails();
    const QRect cell = view.visualRect(view.model()->index(1, 0));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell.center());
    QVERIFY(bench.panel().closer() != nullptr && bench.panel().closer()->isVisible());
    QCOMPARE(bench.panel().closer()->sample().place, 1U);
    // One sample is shown large, and the facts are about that one.
    QVERIFY(!bench.panel().factsText().startsWith("16 samples"));
    QTest::keyClick(bench.panel().closer(), Qt::Key_Right);
    QCOMPARE(bench.panel().closer()->sample().place, 2U);
    QTest::keyClick(bench.panel().closer(), Qt::Key_Escape);
    QVERIFY(!bench.panel().closer()->isVisible());
  }

  void aDoubleClickLeavesTheKeysToTheLargeSample() {
    PreviewBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"source"});
    QVERIFY(bench.settles());
    ThumbnailView& view = bench.panel().thumbnails();
    ClickToFocus windowManager(*view.viewport());
    QWindow* handle = bench.window.windowHandle();
    const QPoint cell = view.visualRect(view.model()->index(1, 0)).center();
    QTest::mouseDClick(handle, Qt::LeftButton, {}, view.viewport()->mapTo(&bench.window, cell));
    QVERIFY(bench.panel().closer() != nullptr && bench.panel().closer()->isVisible());
    QVERIFY(bench.waits([&] { return bench.panel().closer()->isActiveWindow(); }));
    QTest::keyClick(QGuiApplication::focusWindow(), Qt::Key_Escape);
    QVERIFY(!bench.panel().closer()->isVisible());
  }

  void missingDataIsReportedWithItsRemedy() {
    PreviewBench bench(R"({"format_version": 1, "nodes": [{"id": "photos", "kind": "image_folder",
      "params": {"paths": ["/nowhere/at/all"]}}]})");
    QVERIFY(bench.ready);
    QVERIFY(bench.waits([&] { return bench.note().contains("/nowhere/at/all"); }));
    QVERIFY(bench.part<QPushButton>("preview_retry")->isVisible());
    QVERIFY(bench.preview().samples().empty());
  }

  void anEmptyPipelineAsksForASource() {
    PreviewBench bench(R"({"format_version": 1, "nodes": []})");
    QVERIFY(bench.ready);
    QVERIFY(bench.waits([&] { return !bench.panel().isAtWork(); }));
    QVERIFY(bench.panel().thumbnails().emptyText().contains("Add a source"));
    QCOMPARE(bench.preview().processId(), 0);
  }

  void missingSampleDataIsReportedAndGeneratedOnlyOnRequest() {
    PreviewBench bench(R"({"format_version": 1, "nodes": [{"id": "photos", "kind": "image_folder",
      "params": {"paths": ["sample:cats-vs-dogs"]}}]})");
    QVERIFY(bench.ready);
    QVERIFY(bench.waits([&] { return bench.note().contains("has not been generated yet"); }));
    QCOMPARE(bench.part<QPushButton>("preview_retry")->text(), QString("Generate now"));
    QCOMPARE(bench.preview().processId(), 0);
  }

  void aRunPausesThePreview() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    bench.window.controller().setMeasure({0, 1000, 1});
    QVERIFY(bench.waits([&] { return bench.window.action("run")->isEnabled(); }));
    bench.window.controller().run();
    QVERIFY(bench.window.controller().session().isRunning());
    QCOMPARE(bench.preview().state(), PreviewSession::State::Paused);
    QVERIFY(bench.note().contains("Paused"));
    bench.window.controller().stop();
    QVERIFY(bench.waits([&] { return !bench.window.controller().session().isRunning(); }));
    QVERIFY(bench.preview().state() != PreviewSession::State::Paused);
  }

  void aNarrowDockKeepsRoomForTheSamples() {
    PreviewBench bench;
    QVERIFY(bench.ready && bench.settles());
    auto* dock = bench.window.findChild<QDockWidget*>("preview");
    dock->setFloating(true);
    dock->resize(240, 200);
    QVERIFY(bench.waits([&] { return bench.panel().width() <= 260; }));
    QVERIFY(bench.part<QLineEdit>("preview_seed")->isHidden());
    QVERIFY(bench.waits([&] { return bench.panel().thumbnails().width() > 180; }));
  }
};

MILLRACE_TEST_CASE(TestPreview)

}  // namespace millrace

#include "tst_preview.moc"
