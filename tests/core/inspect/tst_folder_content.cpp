// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/folder_content.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/codecs/encode.h"
#include "core/graph/graph_check.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/real_data.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A folder with small pictures.
class Pictures : public tests::TemporaryFolder {
 public:
  void picture(const std::string& name, int width = 8, int height = 6) const {
    const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height), 90);
    const auto png = encodePng({pixels.data(), width, height, 1, width});
    write(name, std::string(reinterpret_cast<const char*>(png->data()), png->size()));
  }
  FolderContent detect(const ScanLimits& limits = {}) const {
    return detectContent(path(), limits);
  }
  std::filesystem::path at(const char* name) const { return path() / name; }
};

using Paths = std::vector<std::filesystem::path>;

/// Empty if the proposed pipeline passes the check with its data open, otherwise the reason.
std::string faultOf(const FolderContent& content) {
  const auto proposal = proposePipeline(content, builtinCatalog());
  if (!proposal) return proposal.error().message;
  CheckOptions options;
  options.openData = true;
  const CheckResult checked = checkGraph(proposal->graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return {};
}

}  // namespace

class TestFolderContent : public QObject {
  Q_OBJECT
 private slots:
  void classFoldersAreRecognised() {
    Pictures folder;
    for (const char* name : {"cats/1.png", "cats/2.PNG", "dogs/a.png", "dogs/readme.txt"})
      folder.picture(name);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.classes, (std::vector<std::string>{"cats", "dogs"}));
    QCOMPARE(found.files, 3U);
    QCOMPARE(found.paths, Paths{folder.path()});
    QCOMPARE(found.description, std::string("2 class folders, 3 pictures."));
    QCOMPARE(faultOf(found), std::string());
  }

  void trainingAndValidationFoldersAreOneSetOfClasses() {
    Pictures folder;
    for (const char* name : {"train/a/1.png", "train/b/1.png", "val/a/1.png"}) folder.picture(name);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.paths, Paths{folder.path()});
    QVERIFY(found.description.find("in `train`") != std::string::npos);
    QCOMPARE(faultOf(found), std::string());
  }

  void picturesInOneFolderAreOneClass() {
    Pictures folder;
    folder.picture("1.png");
    folder.picture("2.png");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pictures);
    QVERIFY(found.description.find("one class") != std::string::npos);
    QCOMPARE(faultOf(found), std::string());
  }

  void foldersBesideEachOtherArePairs_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("mask");
    QTest::newRow("lr, hr") << "lr" << "hr" << false;
    QTest::newRow("DIV2K") << "DIV2K_train_LR" << "DIV2K_train_HR" << false;
    QTest::newRow("GoPro") << "blur" << "sharp" << false;
    QTest::newRow("CamVid") << "images" << "labels" << true;
    QTest::newRow("Pascal") << "JPEGImages" << "SegmentationClass" << true;
  }
  void foldersBesideEachOtherArePairs() {
    QFETCH(QString, input);
    QFETCH(QString, target);
    QFETCH(bool, mask);
    Pictures folder;
    for (const char* name : {"/1.png", "/2.png"}) {
      folder.picture(input.toStdString() + name);
      folder.picture(target.toStdString() + name);
    }
    if (mask) folder.picture("labels_colour/1.png");  // Must not be chosen.
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, mask ? DataLayout::Masks : DataLayout::Pairs);
    QCOMPARE(found.paths,
             (Paths{folder.path() / input.toStdString(), folder.path() / target.toStdString()}));
    QCOMPARE(found.files, 2U);
    QCOMPARE(faultOf(found), std::string());
  }

  void classesWithEqualFileNamesAreNoPairs() {
    Pictures folder;
    for (const char* name : {"cats/1.png", "dogs/1.png"}) folder.picture(name);
    QCOMPARE(folder.detect().layout, DataLayout::Classes);
  }

  void namesInOneFolderArePairsBySuffix() {
    Pictures folder;
    folder.picture("1_LR.png", 16, 8);
    folder.picture("1_HR.png", 64, 32);
    folder.picture("2_LR.png", 12, 8);
    folder.picture("2_HR.png", 48, 32);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pairs);
    QCOMPARE(found.scale, 4);
    QCOMPARE(found.least, (Size{12, 8}));
    QCOMPARE(found.paths, Paths{folder.path()});
    QCOMPARE(faultOf(found), std::string());
    const auto proposal = proposePipeline(found, builtinCatalog());
    QCOMPARE(proposal->like, std::string("super-resolution"));
    // Crops must fit into the smallest picture.
    QVERIFY2(proposal->notes.find("8 px high") != std::string::npos, proposal->notes.c_str());
  }

  void masksBySuffixStayIndicesUntilTheirClassesAreKnown() {
    Pictures folder;
    for (const char* name : {"1.png", "1_mask.png", "2.png", "2_mask.png"})
      folder.picture(name, 640, 480);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    QCOMPARE(faultOf(found), std::string());
    const auto proposal = proposePipeline(found, builtinCatalog());
    QVERIFY(proposal->graph.node("one_hot")->state == NodeState::Bypass);
    QVERIFY(proposal->notes.find("class indices") != std::string::npos);
  }

  void pairsWhoseNamesDifferAreSaidNotTakenForClasses() {
    Pictures folder;
    folder.picture("LR/0001x4.png");
    folder.picture("HR/0001.png");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Unknown);
    QVERIFY2(found.description.find("0001x4.png") != std::string::npos, found.description.c_str());
    QVERIFY(!proposePipeline(found, builtinCatalog()));
  }

  void twoNamesLikeAPairAmongOtherDataSetsAreNoPairs() {
    Pictures folder;
    folder.picture("images/1.png");
    folder.picture("masks/2.png");
    folder.picture("kodak/3.png");
    const FolderContent found = folder.detect();
    QVERIFY2(found.description.find("look like pairs") == std::string::npos,
             found.description.c_str());
  }

  void shardsOfHeldOutSplitsAreLeftOut_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("count");
    QTest::newRow("numbered") << QStringList{"train-00000-of-00003.parquet",
                                             "train-00001-of-00003.parquet",
                                             "train-00002-of-00003.parquet",
                                             "test-00000-of-00001.parquet"}
                              << "train-{00000..00002}-of-00003.parquet" << 3;
    QTest::newRow("one") << QStringList{"train.parquet", "validation.parquet", "test.parquet"}
                         << "train.parquet" << 1;
    QTest::newRow("with a gap") << QStringList{"train_1.tfrecord", "train_4.tfrecord",
                                               "val_0.tfrecord"}
                                << "train_{1,4}.tfrecord" << 2;
    QTest::newRow("no split") << QStringList{"a-0.parquet", "a-1.parquet"} << "" << 2;
    QTest::newRow("unknown split")
        << QStringList{"train-0.parquet", "test-0.parquet", "extra-0.parquet"} << "" << 3;
    QTest::newRow("only held out") << QStringList{"test-0.parquet", "test-1.parquet"} << "" << 2;
  }
  void shardsOfHeldOutSplitsAreLeftOut() {
    QFETCH(QStringList, files);
    QFETCH(QString, path);
    QFETCH(int, count);
    Pictures folder;
    for (const QString& file : files) folder.write(file.toStdString());
    const FolderContent found = folder.detect();
    QVERIFY(isReadable(found));
    const auto root = folder.path();
    QCOMPARE(found.paths.front(), path.isEmpty() ? root : root / path.toStdString());
    QCOMPARE(found.files, static_cast<std::size_t>(count));
    QCOMPARE(found.description.find("of other splits") != std::string::npos, !path.isEmpty());
  }

  void containersAreNamedAndSaidNotToBeReadYet_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("name");
    QTest::newRow("ffcv") << "train.beton" << "FFCV";
  }
  void containersAreNamedAndSaidNotToBeReadYet() {
    QFETCH(QString, file);
    QFETCH(QString, name);
    Pictures folder;
    folder.write(file.toStdString());
    for (const auto& path : {folder.path(), folder.path() / file.toStdString()}) {
      const FolderContent found = detectContent(path);
      QCOMPARE(QString::fromStdString(std::string(nameOf(found))), name);
      QVERIFY(!isReadable(found));
      QVERIFY2(found.description.find("not read") != std::string::npos, found.description.c_str());
      QVERIFY(!proposePipeline(found, builtinCatalog()));
    }
  }

  void containersGetAPipelineOfTheirOwn_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("kind");
    const QByteArray record = QByteArray::fromStdString(tests::tfRecord("no example"));
    QTest::newRow("tfrecord") << "a.tfrecord" << record << "tfrecord";
    QTest::newRow("ImageNet") << "train-00000-of-01024" << record << "tfrecord";
    QTest::newRow("by its head") << "records.bin" << record << "tfrecord";
    QTest::newRow("tar") << "s-000000.tar"
                         << QByteArray::fromStdString(tests::tarMember("1.jpg", "picture"))
                         << "webdataset";
    QTest::newRow("npy") << "x.npy"
                         << QByteArray::fromStdString(tests::npyBytes("'|u1'", "(2, 3)", "abcdef"))
                         << "numpy";
    QTest::newRow("mds") << "shard.00000.mds"
                         << QByteArray::fromStdString(
                                tests::mdsShard({{"y", "int", 8}}, {{std::string(8, 'x')}}))
                         << "mds";
  }
  void containersGetAPipelineOfTheirOwn() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, kind);
    Pictures folder;
    folder.write(file.toStdString(), content.toStdString());
    const FolderContent found = detectContent(folder.path() / file.toStdString());
    QVERIFY2(isReadable(found) && found.layout == DataLayout::Container, found.description.c_str());
    const auto proposal = proposePipeline(found, builtinCatalog());
    VERIFY_OK(proposal);
    const GraphNode* source = proposal->graph.node(kind.toStdString());
    QVERIFY(source != nullptr && source->kind == kind.toStdString());
    CheckOptions options;
    options.openData = true;
    const CheckResult checked = checkGraph(proposal->graph, builtinCatalog(), options);
    QVERIFY2(checked.pipeline.has_value(),
             checked.problems.all().empty() ? "" : checked.problems.all()[0].text().c_str());
  }

  void containersBesideAValidationFolderAreTheTrainingOnes() {
    Pictures folder;
    const std::string shard = tests::mdsShard({{"y", "int", 8}}, {{std::string(8, 'x')}});
    folder.write("train/shard.00000.mds", shard);
    folder.write("train/shard.00001.mds", shard);
    folder.write("val/shard.00000.mds", shard);
    const FolderContent found = folder.detect();
    QCOMPARE(found.format, formatNamed("mds"));
    QCOMPARE(found.paths, Paths{folder.at("train")});
    QCOMPARE(found.description, std::string("2 files of MosaicML MDS in `train`."));
    QCOMPARE(faultOf(found), std::string());
  }

  void aWrapperIsLookedThrough() {
    Pictures folder;
    folder.picture("set/photos/cats/1.png");
    folder.picture("set/photos/dogs/1.png");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.paths, Paths{folder.path() / "set" / "photos"});
  }

  void aLookIsBoundedAndSaysSo() {
    Pictures folder;
    for (int i = 0; i < 40; ++i) folder.write("cats/" + std::to_string(i) + ".png");
    for (int i = 0; i < 9; ++i) folder.write("class" + std::to_string(i) + "/1.png");
    ScanLimits limits;
    limits.namesPerFolder = 20;
    limits.folders = 4;
    const FolderContent found = folder.detect(limits);
    QCOMPARE(found.layout, DataLayout::Classes);
    QVERIFY(!found.all);
    QCOMPARE(found.classes.size(), 4U);
    QVERIFY(found.files <= 23);
    QVERIFY2(found.description.find("at least ") != std::string::npos, found.description.c_str());
  }

  void whatCannotBeReadIsASentence() {
    Pictures folder;
    QVERIFY(folder.detect().description.find("empty") != std::string::npos);
    folder.write("notes.txt");
    QVERIFY2(folder.detect().description.find("notes.txt") != std::string::npos,
             folder.detect().description.c_str());
    const FolderContent gone = detectContent(folder.path() / "gone");
    QCOMPARE(gone.layout, DataLayout::Unknown);
    QVERIFY2(gone.description.find("gone") != std::string::npos, gone.description.c_str());
    folder.makeFolder("locked");
    ::chmod((folder.path() / "locked").c_str(), 0);
    if (::geteuid() != 0)
      QVERIFY(detectContent(folder.path() / "locked").description.find("permission") !=
              std::string::npos);
    ::chmod((folder.path() / "locked").c_str(), 0755);
  }

  void aStopEndsTheLook() {
    Pictures folder;
    folder.picture("cats/1.png");
    const std::atomic<bool> stop{true};
    QVERIFY(detectContent(folder.path(), {}, &stop).classes.empty());
  }

  void realSetsAreRecognised_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("layout");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* name, DataLayout layout, const char* format = "") {
      QTest::newRow(name) << name << static_cast<int>(layout) << format;
    };
    row("photos_cc0", DataLayout::Classes);
    row("seg_camvid", DataLayout::Masks);
    row("seg_coco", DataLayout::Masks);
    row("sr_pairs/Set5_x2", DataLayout::Pairs);
    row("sr_pairs/Set14_x4", DataLayout::Pairs);
    row("kodak", DataLayout::Pictures);
    row("containers/tfrecord_cow/data", DataLayout::Container, "tfrecord");
    row("containers/wds", DataLayout::Container, "webdataset");
    row("containers/lmdb_py", DataLayout::Container, "lmdb");
  }
  void realSetsAreRecognised() {
    QFETCH(QString, name);
    QFETCH(int, layout);
    QFETCH(QString, format);
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    const FolderContent found = detectContent(*data / name.toStdString());
    QVERIFY2(static_cast<int>(found.layout) == layout, found.description.c_str());
    QVERIFY(found.format == (format.isEmpty() ? nullptr : formatNamed(format.toStdString())));
    if (isReadable(found)) QCOMPARE(faultOf(found), std::string());
  }
};

MILLRACE_TEST_CASE(TestFolderContent)

}  // namespace millrace

#include "tst_folder_content.moc"
