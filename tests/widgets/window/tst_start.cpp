// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#first-start: from the start to a running chart in two clicks, and the user's
// own folder.
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QThreadPool>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/codecs/encode.h"
#include "core/formats/recordio/record_io.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/sample_data/sample_data.h"
#include "tests/support/lmdb_values.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/needs_part.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"
#include "tests/widgets/stall_watch.h"
#include "widgets/common/strings.h"
#include "widgets/start/folder_drop.h"
#include "widgets/start/offer_card.h"
#include "widgets/start/offer_panel.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

constexpr int kFirstRunMs = 240000;

/// The workbench after a start without a file.
class StartBench {
 public:
  StartBench() : window(builtinCatalog()) {
    window.start().page().setProgram(MILLRACE_BINARY);
    window.controller().session().process().setProgram(MILLRACE_BINARY);
    window.controller().setMeasure({0, 1000, 1});
    window.resize(1389, 868);
    window.start().show();
    window.show();
  }
  ~StartBench() {
    window.controller().stop();
    (void)waits([this] { return !window.controller().session().isRunning(); });
  }
  StartPage& page() { return window.start().page(); }
  QPushButton* button(const char* name) { return page().findChild<QPushButton*>(name); }
  bool waits(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kFirstRunMs);
  }
  /// The end of a drag from a file manager.
  void drop(const std::filesystem::path& path) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(fileText(path))});
    // A drop goes to the widget that accepted the drag.
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
  }
  bool isRunning() { return window.controller().session().isRunning(); }

  tests::TemporaryFolder folder;
  MainWindow window;
};

std::string pictureBytes() {
  const std::vector<std::uint8_t> pixels(40 * 30 * 3, 120);
  const auto png = encodePng({pixels.data(), 40, 30, 3, 120});
  return {reinterpret_cast<const char*>(png->data()), png->size()};
}

void writePicture(const tests::TemporaryFolder& folder, const std::string& name) {
  folder.write(name, pictureBytes());
}

/// Eight pictures of 40 x 30, in the format of that name.
void writeArrays(const tests::TemporaryFolder& folder, const std::string& name) {
  const std::string pixels(std::size_t{8} * 40 * 30 * 3, '\x60');
  const std::string npy = tests::npyBytes("'|u1'", "(8, 30, 40, 3)", pixels);
  const std::string labels = tests::npyBytes("'|u1'", "(8,)", std::string(8, '\1'));
  if (name.ends_with(".npy")) folder.write(name, npy);
  if (name.ends_with(".npz"))
    folder.write(name, tests::zipBytes({{"x.npy", npy}, {"y.npy", labels}}));
  if (!name.ends_with(".h5")) return;
  folder.write("x.npy", npy);
  QProcess::execute(MILLRACE_BINARY, {"convert", fileText(folder.path() / "x.npy"),
                                      fileText(folder.path() / name), "--raw"});
}

}  // namespace

class TestStart : public QObject {
  Q_OBJECT
 private slots:
  void everyShippedExampleIsOffered() {
    StartBench bench;
    QVERIFY(bench.window.start().isShown());
    QCOMPARE(bench.page().cards().size(), examples().size());
    for (const OfferCard* card : bench.page().cards()) {
      QVERIFY(!card->offer().description.isEmpty());
      QVERIFY2(card->offer().data.endsWith(" generated samples"), qPrintable(card->offer().data));
      if (card->offer().name == "chess")
        QVERIFY2(QString(card->offer().data)
                     .replace(QChar(0xA0), ' ')
                     .startsWith("98 304 generated samples"),
                 qPrintable(card->offer().data));
      // Nothing is generated before the window is shown.
      QVERIFY(card->samples().empty());
    }
    for (const QDockWidget* dock : bench.window.findChildren<QDockWidget*>())
      QVERIFY(dock->isHidden());
  }

  /// They show the data's first samples, which are generated for that and kept.
  void theCardsHavePicturesBeforeAnyDataIsGenerated() {
    const tests::TemporaryFolder cache;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
    {
      StartBench bench;
      for (const OfferCard* card : bench.page().cards())
        QVERIFY2(bench.waits([&] { return !card->samples().empty(); }),
                 qPrintable(card->offer().name));
      for (const OfferCard* card : bench.page().cards())
        QVERIFY(!hasSampleData(fromQt(card->offer().samples.first())));
      QCOMPARE(bench.page().cards()[2]->samples().front().pictures().size(), 2U);
      // Labels are those of the complete data.
      for (const ShownSample& sample : bench.page().cards()[1]->samples())
        QVERIFY2(QStringList({"cats", "dogs"}).contains(sample.labelText()),
                 qPrintable(sample.labelText()));
    }
    // A deleted page leaves no drawing running.
    QThreadPool::globalInstance()->waitForDone();
    qputenv("XDG_CACHE_HOME", before);
  }

  /// A click on the card, a click on Run, nothing typed. The data is generated in between, and then
  /// the card has pictures made by the engine.
  void twoClicksLeadToARunEvenWithoutData() {
    StartBench bench;
    OfferCard* pairs = bench.page().cards()[2];  // The smallest data set.
    QTest::mouseClick(pairs, Qt::LeftButton);
    QCOMPARE(bench.page().chosen().name, QString("super-resolution"));
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    QVERIFY(bench.button("start_stop")->isVisible());
    QVERIFY(bench.waits([&] { return bench.isRunning(); }));
    QVERIFY(!bench.window.start().isShown());
    QCOMPARE(bench.window.page()->session().document.title(), QString("super-resolution"));
    QVERIFY(
        bench.waits([&] { return bench.window.controller().session().run().samplesRead() > 0; }));
    bench.window.controller().stop();
    QVERIFY(bench.waits([&] { return !bench.isRunning(); }));

    bench.window.action("close")->trigger();
    QVERIFY(bench.window.start().isShown());
    QVERIFY(bench.waits([&] { return !pairs->samples().empty(); }));
    QCOMPARE(pairs->samples().front().pictures().size(), 2U);
  }

  void longNamesOfRecentFilesLeaveRunInView() {
    StartBench bench;
    bench.page().setRecent({"/a", "/b", "/c", "/d"});
    const auto least = [&] {
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QCoreApplication::processEvents();
      return bench.page().widget()->minimumSizeHint().width();
    };
    const int withShortNames = least();
    QStringList files;
    for (int i = 0; i < 4; ++i)
      files << QString("/data/%1-%2.millrace.json").arg(i).arg(QString(90, 'n'));
    bench.page().setRecent(files);
    QCOMPARE(least(), withShortNames);
    const QPushButton* run = bench.button("start_run");
    QVERIFY(run->mapTo(&bench.page(), QPoint(run->width(), 0)).x() <= bench.page().width());
    int shortened = 0;
    for (const QPushButton* link : bench.page().findChildren<QPushButton*>())
      shortened += link->text().contains(u'…') && files.contains(link->toolTip()) ? 1 : 0;
    QCOMPARE(shortened, 4);
  }

  void generatingTheDataCanBeStopped() {
    StartBench bench;
    QTest::mouseClick(bench.page().cards()[1], Qt::LeftButton);
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    QVERIFY(bench.page().isAtWork());
    QTest::mouseClick(bench.button("start_stop"), Qt::LeftButton);
    QVERIFY(bench.waits([&] { return bench.button("start_run")->isVisible(); }));
    QVERIFY(!bench.isRunning());
    QVERIFY(bench.window.start().isShown());
  }

  void aDroppedFolderIsRecognisedAndProposed() {
    StartBench bench;
    writePicture(bench.folder, "cats/1.png");
    writePicture(bench.folder, "dogs/1.png");
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY2(bench.page().drop().said().contains("2 class folders, 2 pictures."),
             qPrintable(bench.page().drop().said()));
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    QVERIFY(bench.waits([&] { return bench.isRunning(); }));
    QVERIFY(
        bench.waits([&] { return bench.window.controller().session().run().samplesRead() > 0; }));
  }

  void picturesAndTheirMasksAreProposedAsPairs() {
    StartBench bench;
    for (const char* name : {"images/1.png", "images/2.png", "masks/1.png", "masks/2.png"})
      writePicture(bench.folder, name);
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY2(bench.page().drop().said().contains("mask", Qt::CaseInsensitive),
             qPrintable(bench.page().drop().said()));
    const GraphNode* source = bench.page().chosen().graph.node("paired_folders");
    QVERIFY(source != nullptr);
    QVERIFY(std::get<Value>(source->params.at("pair")) == Value{std::string("mask")});
  }

  void everyReadableLayoutIsListed() {
    StartBench bench;
    QString hints;
    for (const QLabel* label : bench.page().drop().findChildren<QLabel*>())
      hints += label->text() + '\n';
    std::vector<std::string_view> names;
    // Pictures without classes are what class folders are without folders.
    for (const DataLayout layout : {DataLayout::Classes, DataLayout::Pairs, DataLayout::Masks})
      names.push_back(nameOf(layout));
    for (const Format& format : allFormats())
      if (format.isFileName != nullptr && !format.onlyNamed) names.push_back(format.title);
    QVERIFY(names.size() > 6);
    for (const std::string_view name : names)
      QVERIFY2(hints.contains(toQt(name), Qt::CaseInsensitive), name.data());
  }

  void containersOfOtherLibrariesAreProposed_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("dropped");
    QTest::addColumn<QString>("kind");
    const std::string shard = tests::mdsShard({{"y", "int", 8}}, {{std::string(8, 'x')}});
    const QByteArray mds = QByteArray::fromStdString(shard);
    // A part of a record: magic, kind and length, bytes, zeros.
    const QByteArray rec =
        QByteArray::fromStdString(tests::littleEndian(kRecordIoMagic, 4) +
                                  tests::littleEndian(5, 4) + std::string("hello\0\0\0", 8));
    QTest::newRow("a folder of MDS") << "shards/shard.00000.mds" << mds << "shards" << "mds";
    QTest::newRow("the list of its shards")
        << "shards/shard.00000.mds" << mds << "shards/index.json" << "mds";
    QTest::newRow("RecordIO") << "faces/train.rec" << rec << "faces/train.rec" << "recordio";
    QTest::newRow("a folder of RecordIO") << "faces/train.rec" << rec << "faces" << "recordio";
    const auto bytes = [](const std::string& text) { return QByteArray::fromStdString(text); };
    QTest::newRow("TFRecord") << "records/train.tfrecord" << bytes(tests::tfRecord("no example"))
                              << "records/train.tfrecord" << "tfrecord";
    QTest::newRow("a folder of WebDataset")
        << "tars/s-000000.tar" << bytes(tests::tarMember("1.jpg", "picture") + tests::tarEnd())
        << "tars" << "webdataset";
    const tests::TemporaryFolder made;
    const bool isWritten = tests::put(made.path(), {{"0001", pictureBytes()}}) != nullptr;
    QVERIFY(isWritten);
    QTest::newRow("a folder of LMDB")
        << "pictures/data.mdb" << bytes(tests::contentOf(made.path() / "x.mdb")) << "pictures"
        << "lmdb";
  }
  void containersOfOtherLibrariesAreProposed() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, dropped);
    QFETCH(QString, kind);
    StartBench bench;
    bench.folder.write(file.toStdString(), content.toStdString());
    bench.folder.write("shards/index.json", tests::mdsIndex(tests::mdsEntry(
                                                {{"y", "int", 8}}, "shard.00000.mds",
                                                static_cast<std::size_t>(content.size()), 1)));
    bench.drop(bench.folder.path() / dropped.toStdString());
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY(bench.page().chosen().graph.node(kind.toStdString()) != nullptr);
    // With open documents, it becomes one more.
    bench.window.open("classification");
    bench.drop(bench.folder.path() / dropped.toStdString());
    QVERIFY(bench.waits([&] { return bench.window.tabs().count() == 2; }));
    const Graph& graph = bench.window.page()->session().document.graph();
    QVERIFY(graph.node(kind.toStdString()) != nullptr);
  }

  /// Only the file tells the shapes of arrays; the window does not open it to check the pipeline.
  void proposedArraysRun_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"x.npy", "xy.npz", "x.h5"}) QTest::newRow(file) << file;
  }
  void proposedArraysRun() {
    QFETCH(QString, file);
    if (file == "x.h5") MILLRACE_NEEDS_PART("hdf5");
    StartBench bench;
    writeArrays(bench.folder, file.toStdString());
    bench.drop(bench.folder.path() / file.toStdString());
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QTest::mouseClick(bench.button("start_run"), Qt::LeftButton);
    const BackgroundCheck& check = bench.window.page()->session().check;
    QVERIFY(bench.waits([&] { return check.isCurrent(); }));
    QCOMPARE(check.errors(), 0);
    const LiveRun& run = bench.window.controller().session().run();
    QVERIFY(bench.waits([&] { return run.samplesRead() > 0; }));
  }

  /// The cost does not grow with the folder: a scan is bounded, and nothing waits for it.
  void aFolderOfManyFilesDoesNotStallTheWindow() {
    StartBench bench;
    const auto many = bench.folder.path() / "many";
    writePicture(bench.folder, "many/first.png");
    constexpr int kFiles = 20000;
    for (int i = 0; i < kFiles; ++i)
      std::filesystem::create_hard_link(many / "first.png", many / (std::to_string(i) + ".png"));
    QTest::qWait(0);  // The window's first picture is not of the folder.
    const tests::StallWatch stalls;
    bench.drop(many);
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY2(bench.page().drop().said().contains("at least", Qt::CaseInsensitive),
             qPrintable(bench.page().drop().said()));
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
  }

  void anUnreadableFolderIsReported() {
    StartBench bench;
    bench.folder.makeFolder("locked");
    std::filesystem::permissions(bench.folder.path() / "locked", std::filesystem::perms::none);
    std::filesystem::permissions(bench.folder.path(), std::filesystem::perms(0755));
    {
      const tests::Unprivileged user;
      bench.drop(bench.folder.path() / "locked");
      const auto isSaid = [&] {
        return bench.page().drop().said().contains("permission", Qt::CaseInsensitive);
      };
      QVERIFY2(bench.waits(isSaid), qPrintable(bench.page().drop().said()));
    }
    QVERIFY(!bench.page().chosen().isOwn);
    std::filesystem::permissions(bench.folder.path() / "locked", std::filesystem::perms(0755));
  }

  void unsupportedDataIsNamed() {
    StartBench bench;
    bench.folder.write("shards/a.parquet");
    bench.drop(bench.folder.path() / "shards");
    QVERIFY(bench.waits([&] { return bench.page().drop().said().contains("Parquet"); }));
    QVERIFY(bench.page().drop().said().contains("not read"));
    QVERIFY(!bench.page().chosen().isOwn);
  }

  void aFolderDroppedOnOpenDocumentsBecomesAnother() {
    StartBench bench;
    bench.window.open("classification");
    QVERIFY(!bench.window.start().isShown());
    writePicture(bench.folder, "lr/1.png");
    writePicture(bench.folder, "hr/1.png");
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return bench.window.tabs().count() == 2; }));
    QVERIFY(!bench.window.page()->session().document.graph().nodes.empty());
  }

  void openWithoutRunningAndANewPipelineCloseThePage() {
    {
      StartBench bench;
      QTest::mouseClick(bench.button("start_open"), Qt::LeftButton);
      QVERIFY(!bench.window.start().isShown() && !bench.isRunning());
      QCOMPARE(bench.window.page()->session().document.title(), QString("classification"));
      QVERIFY(!bench.window.findChild<QDockWidget*>("inspector")->isHidden());
    }
    StartBench bench;
    QTest::mouseClick(bench.button("start_new"), Qt::LeftButton);
    QVERIFY(!bench.window.start().isShown());
    QVERIFY(bench.window.page()->session().document.graph().nodes.empty());
  }

  void aNewPipelineFromThePageOpensOneTab() {
    StartBench bench;
    bench.window.action("new")->trigger();
    QVERIFY(!bench.window.start().isShown());
    QCOMPARE(bench.window.tabs().count(), 1);
    bench.window.action("new")->trigger();
    QCOMPARE(bench.window.tabs().count(), 2);
  }

  void thePageFitsASmallWindow() {
    StartBench bench;
    bench.window.resize(800, 600);
    // Laid out in the next turn of the event loop.
    QVERIFY(bench.waits([&] {
      return bench.page().width() <= 800 &&
             bench.page().widget()->width() <= bench.page().viewport()->width();
    }));
    for (const OfferCard* card : bench.page().cards()) QVERIFY(card->width() >= 180);
  }
};

MILLRACE_TEST_CASE(TestStart)

}  // namespace millrace

#include "tst_start.moc"
