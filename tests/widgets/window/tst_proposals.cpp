// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#first-start: what a folder or a file holds is recognised, and a pipeline is
// proposed.
#include <QLabel>
#include <QListWidget>
#include <QTabWidget>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/formats/recordio/record_io.h"
#include "tests/support/lmdb_values.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/needs_part.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/start_bench.h"
#include "widgets/common/strings.h"
#include "widgets/models/shown_sample.h"
#include "widgets/start/data_choice.h"
#include "widgets/start/folder_drop.h"
#include "widgets/start/offer_panel.h"
#include "widgets/start/start_page.h"

namespace millrace {

namespace {

using tests::pictureBytes;
using tests::StartBench;
using tests::writeArrays;
using tests::writePicture;

}  // namespace

class TestProposals : public QObject {
  Q_OBJECT
 private slots:
  void aDroppedFolderIsRecognisedAndProposed() {
    StartBench bench;
    writePicture(bench.folder, "cats/1.png");
    writePicture(bench.folder, "dogs/1.png");
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return bench.page().chosen().isOwn; }));
    QVERIFY2(bench.page().chosen().data.startsWith("2 class folders, 2 pictures."),
             qPrintable(bench.page().chosen().data));
    QVERIFY2(bench.page().drop().said().isEmpty(), "the card below says it");
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
    QVERIFY2(bench.page().chosen().data.contains("mask", Qt::CaseInsensitive),
             qPrintable(bench.page().chosen().data));
    const GraphNode* source = bench.page().chosen().graph.node("paired_folders");
    QVERIFY(source != nullptr);
    QVERIFY(std::get<Value>(source->params.at("pair")) == Value{std::string("mask")});
  }

  void oneOfSeveralDataSetsBelowIsChosen() {
    StartBench bench;
    writeArrays(bench.folder, "one/x.npz");
    writeArrays(bench.folder, "two/x.npz");
    const auto choice = [&]() -> DataChoice* { return bench.window.findChild<DataChoice*>(); };
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return choice() != nullptr; }));
    auto* list = choice()->findChild<QListWidget*>();
    QCOMPARE(list->count(), 2);
    QVERIFY2(list->item(0)->text().startsWith("one: NumPy\n1 file"),
             qPrintable(list->item(0)->text()));
    list->setCurrentRow(1);
    choice()->accept();
    QVERIFY(bench.waits([&] { return bench.page().chosen().name == "two"; }));
    // The same while a document is open.
    QTest::mouseClick(bench.button("start_open"), Qt::LeftButton);
    QVERIFY(bench.waits([&] { return choice() == nullptr && !bench.window.start().isShown(); }));
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return choice() != nullptr; }));
    emit choice() -> findChild<QListWidget*>()->itemActivated(
        choice()->findChild<QListWidget*>()->item(0));
    QVERIFY(bench.waits([&] { return bench.window.page()->session().document.title() == "one"; }));
  }

  void filesThatAreNotOneDataSetAreOfferedEach() {
    StartBench bench;
    const auto arrays = [&](const char* name, const char* shape, std::size_t bytes) {
      bench.folder.write(name, tests::npyBytes("'|u1'", shape, std::string(bytes, '\x60')));
    };
    arrays("small.npy", "(8, 30, 40, 3)", std::size_t{8} * 30 * 40 * 3);
    arrays("large.npy", "(8, 60, 80, 3)", std::size_t{8} * 60 * 80 * 3);
    const auto choice = [&]() -> DataChoice* { return bench.window.findChild<DataChoice*>(); };
    bench.drop(bench.folder.path());
    QVERIFY(bench.waits([&] { return choice() != nullptr; }));
    QStringList words;
    for (const QLabel* label : choice()->findChildren<QLabel*>()) words << label->text();
    QVERIFY2(words.join(' ').contains("2 files are not one data set"), qPrintable(words.join(' ')));
    auto* list = choice()->findChild<QListWidget*>();
    QCOMPARE(list->count(), 2);
    QVERIFY2(list->item(0)->text().startsWith("large.npy: NumPy"),
             qPrintable(list->item(0)->text()));
    choice()->accept();
    QVERIFY(bench.waits([&] { return bench.page().chosen().name == "large.npy"; }));
  }

  void picturesWithoutClassesHaveNoClassBelowThem() {
    ShownSample sample;
    sample.fields.emplace_back().label = 0;
    sample.fields.back().labelClass = "cats";
    QCOMPARE(sample.labelText(), QString("cats"));
    sample.fields.back().labelClass = ".";
    QCOMPARE(sample.labelText(), QString());
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

  /// Only the file has the shapes of arrays; the window does not open it to check the pipeline.
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

  void unsupportedDataIsNamed() {
    StartBench bench;
    bench.folder.write("shards/a.beton");
    bench.drop(bench.folder.path() / "shards");
    QVERIFY(bench.waits([&] { return bench.page().drop().said().contains("FFCV"); }));
    QVERIFY(bench.page().drop().said().contains("not read"));
    QVERIFY(!bench.page().chosen().isOwn);
  }
};

MILLRACE_TEST_CASE(TestProposals)

}  // namespace millrace

#include "tst_proposals.moc"
