// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#data-report: the page, with reports that were not made by an engine.
#include "widgets/data/data_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QListWidget>
#include <QSignalSpy>
#include <QTableView>

#include "core/codecs/encode.h"
#include "core/formats/format.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/places.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/data/count_bars.h"
#include "widgets/data/data_choices.h"
#include "widgets/data/finding_panel.h"
#include "widgets/data/sample_list_model.h"
#include "widgets/data/sample_pictures.h"
#include "widgets/data/set_overview.h"

namespace millrace {

namespace {

std::string photo(int width, int height) {
  const std::vector<std::uint8_t> grey(static_cast<std::size_t>(width) * height * 3, 90);
  const auto bytes =
      encodeJpeg({grey.data(), width, height, 3, std::ptrdiff_t{width} * 3}, {}).take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

SetReport setNamed(const std::string& name) {
  SetReport set;
  set.name = name;
  set.path = "/pets/" + name;
  set.kind = "class folders";
  set.samples = 1200;
  set.examined = 1200;
  set.classes = {"cat", "dog", "fox"};
  set.perClass = {200, 900, 100};
  set.pictures = 1199;
  set.width = {20, 480, 6000};
  set.height = {360, 360, 360};
  set.longerSide = {{"below 64", 1}, {"256 to 511", 1198}};
  set.proportions = {{"4:3", 1199}};
  set.formats = {{"JPEG", 1100}, {"PNG", 99}};
  set.channels = {{"3 (colour)", 1199}};
  set.bits = {{"8", 1199}};
  set.orientations = {{"1", 1190}, {"6", 9}};
  set.mean = {0.4812, 0.4, 0.3};
  set.deviation = {0.2, 0.21, 0.22};
  set.slowest = {{"cat/big.jpg", "/pets/cat/big.jpg", 6000, 4000, 5'000'000, 212.5},
                 {"cat/b.jpg", "/pets/cat/b.jpg", 600, 400, 50'000, 2.5}};
  return set;
}

DataReport filled() {
  DataReport report;
  report.path = "/pets";
  report.sets = {setNamed("train"), setNamed("val")};
  ReportedFinding broken{Finding::Broken, 12, {}};
  for (const char* name : {"cat/a.jpg", "cat/b.jpg"})
    broken.samples.push_back(
        {"train", name, std::string("/pets/train/") + name, "not an image", "", "", ""});
  ReportedFinding shared{Finding::Shared, 1, {}};
  shared.samples.push_back(
      {"val", "x.jpg", "/pets/val/x.jpg", "", "train", "y.jpg", "/pets/train/y.jpg"});
  report.findings = {broken, shared};
  report.notes = {"The classes of `train` are uneven."};
  report.seconds = 12;
  report.workers = 2;
  return report;
}

/// A page with a finished report.
struct Bench {
  explicit Bench(const DataReport& report = filled()) : page(live) {
    page.resize(1100, 700);
    page.show();
    page.setChoices({"/pets"});
    live.begin("mine", "/pets");
    live.expectReport();
    live.finish({});
    live.setReport(std::make_shared<const DataReport>(report));
    page.refresh();
  }
  QStringList parts() {
    QStringList texts;
    for (int i = 0; i < page.parts().count(); ++i) texts << page.parts().item(i)->text();
    return texts;
  }
  QString cell(int row, int column) {
    return page.samples().model().index(row, column).data().toString();
  }

  LiveReport live;
  DataPage page;
};

}  // namespace

class TestDataPage : public QObject {
  Q_OBJECT
 private slots:
  void thePageShowsProgressAndTimeLeft() {
    LiveReport live;
    DataPage page(live);
    page.show();
    QVERIFY(!page.button("examine")->isEnabled());  // No data is known.
    page.setChoices({"/pets", "/more"});
    QCOMPARE(page.chosen(), std::optional<std::filesystem::path>("/pets"));
    QSignalSpy asked(&page, &DataPage::examineRequested);
    page.button("examine")->click();
    QCOMPARE(asked.count(), 1);
    live.begin("mine", "/pets");
    page.refresh();
    QCOMPARE(page.words(), QString("Looking for the samples"));
    QVERIFY(page.button("stop")->isVisible() && !page.button("examine")->isVisible());
    StreamEvent event;
    event.content = ProgressEvent{210, 600, 3.0, {}};
    live.take(event);
    page.refresh();
    QCOMPARE(page.words().replace(QChar(0xA0), ' '), QString("210 of 600 samples"));
    QSignalSpy stopped(&page, &DataPage::stopRequested);
    page.button("stop")->click();
    QCOMPARE(stopped.count(), 1);
    ChildEnd end;
    end.kind = ChildEnd::Kind::Stopped;
    live.finish(end);
    page.refresh();
    QVERIFY2(page.words().startsWith("Stopped"), qPrintable(page.words()));
    QCOMPARE(page.button("examine")->text(), QString("Continue"));
    QVERIFY(!page.button("export")->isEnabled());
  }

  void problemsAreGroupedByKindWithTheirNumber() {
    Bench bench;
    QCOMPARE(bench.parts(), QStringList({"Overview", "Broken · 12", "Copies across sets · 1",
                                         "Slowest of train", "Slowest of val"}));
    QVERIFY2(bench.page.overview().overallText().contains("12 samples cannot be decoded"),
             qPrintable(bench.page.overview().overallText()));
    bench.page.parts().setCurrentRow(1);
    QCOMPARE(bench.page.samples().titleText(), QString("12 samples cannot be decoded"));
    // The report names fewer than there are.
    QVERIFY(bench.page.samples().meaningText().contains("first 2 are shown"));
    QCOMPARE(bench.cell(1, 0), QString("cat/b.jpg"));
    QCOMPARE(bench.cell(1, 1), QString("not an image"));
    bench.page.parts().setCurrentRow(2);
    QCOMPARE(bench.cell(0, 1), QString("y.jpg"));
    QCOMPARE(bench.cell(0, 2), QString("val"));
    bench.page.parts().setCurrentRow(3);
    QCOMPARE(bench.cell(0, 2).replace(QChar(0xA0), ' '), QString("6 000 × 4 000"));
    QVERIFY(!bench.page.button("save_list")->isVisible());
  }

  void pathsOfSelectedSamplesAreCopied() {
    Bench bench;
    bench.page.parts().setCurrentRow(1);
    bench.page.samples().table().selectAll();
    bench.page.button("copy_paths")->click();
    QCOMPARE(QApplication::clipboard()->text(),
             QString("/pets/train/cat/a.jpg\n/pets/train/cat/b.jpg"));
    QCOMPARE(bench.page.saidText(), QString("2 paths were copied."));
    bench.page.samples().table().setFocus();
    bench.page.samples().table().selectRow(1);
    QTest::keyClick(&bench.page.samples().table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("/pets/train/cat/b.jpg"));
  }

  void figuresOfASetAreShownAsBars() {
    Bench bench;
    CountBars* classes = bench.page.overview().bars("Samples per class");
    QVERIFY(classes != nullptr && classes->isVisible());
    QCOMPARE(classes->bars().first().name, QString("dog"));
    QCOMPARE(classes->bars().first().count, std::uint64_t{900});
    QCOMPARE(classes->table().rows.size(), qsizetype{3});
    // In the order of sizes, not of names.
    QCOMPARE(bench.page.overview().bars("Longer side in pixels")->bars().first().name,
             QString("below 64"));
    QVERIFY(bench.page.overview().bars("Format")->isVisible());
    QVERIFY(!bench.page.overview().bars("Bits")->isVisible());
    const tests::TemporaryFolder folder;
    VERIFY_OK(classes->exportTo(fileText(folder.path() / "classes.csv")));
    QCOMPARE(tests::contentOf(folder.path() / "classes.csv"),
             std::string("samples per class,samples\ndog,900\ncat,200\nfox,100\n"));
    VERIFY_OK(classes->exportTo(fileText(folder.path() / "classes.png")));
    QVERIFY2(bench.page.overview().factsText().contains("9 pictures"),
             qPrintable(bench.page.overview().factsText()));
  }

  void theFiguresOfTheChosenSetAreUsed() {
    Bench bench;
    QSignalSpy asked(&bench.page, &DataPage::normaliseRequested);
    bench.page.button("normalise")->click();
    bench.page.overview().sets().setCurrentIndex(1);
    bench.page.button("normalise")->click();
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked[0][0].toULongLong(), 0ULL);
    QCOMPARE(asked[1][0].toULongLong(), 1ULL);
    bench.page.setObstacles({}, "Its pipeline was closed. Open it again.");
    QVERIFY(!bench.page.button("normalise")->isEnabled());
    QCOMPARE(bench.page.button("normalise")->toolTip(),
             QString("Its pipeline was closed. Open it again."));
  }

  void aPartialReportCannotBeSavedAndSaysSo() {
    DataReport partial = filled();
    partial.interrupted = true;
    partial.sets[0].examined = 300;
    Bench bench(partial);
    QVERIFY2(bench.page.words()
                 .replace(QChar(0xA0), ' ')
                 .startsWith("Stopped after 1 500 of 2 400 samples"),
             qPrintable(bench.page.words()));
    QCOMPARE(bench.page.button("examine")->text(), QString("Continue"));
    QVERIFY(!bench.page.button("export")->isEnabled());
    QCOMPARE(bench.parts().size(), qsizetype{5});
  }

  void soundDataSaysThatNothingIsWrong() {
    DataReport sound = filled();
    sound.findings.clear();
    Bench bench(sound);
    QVERIFY2(bench.page.overview().overallText().contains("No sample is broken"),
             qPrintable(bench.page.overview().overallText()));
  }

  void picturesAreDecodedOnOtherThreads() {
    const tests::TemporaryFolder folder;
    folder.write("whole.jpg", photo(800, 400));
    folder.write("cut.jpg", photo(800, 400).substr(0, photo(800, 400).size() / 2));
    folder.write("text.jpg", "not a picture");
    SamplePictures pictures(QSize(76, 56));
    const auto file = [&](const char* name) {
      return SampleToShow{(folder.path() / name).native(), {}, {}, 0};
    };
    QVERIFY(pictures.picture({}).isNull());
    for (const char* name : {"whole.jpg", "cut.jpg", "text.jpg", "missing.jpg"})
      QVERIFY(pictures.picture(file(name)).isNull());
    QVERIFY(QTest::qWaitFor(
        [&] {
          return !pictures.isAtWork() && !pictures.picture(file("whole.jpg")).isNull() &&
                 !pictures.picture(file("cut.jpg")).isNull();
        },
        tests::kGenerousMs));
    QCOMPARE(pictures.picture(file("whole.jpg")).size(), QSize(152, 76));
    QVERIFY(pictures.picture(file("text.jpg")).isNull());
    QVERIFY(pictures.picture(file("missing.jpg")).isNull());
    QVERIFY(!pictures.isAtWork());  // What has no picture is not tried again.
  }

  /// By the path of the data set, the number of the sample and its name.
  void picturesInContainersAreDecodedToo() {
    const tests::TemporaryFolder folder;
    folder.write("set.tar", tests::tarMember("a.jpg", photo(800, 400)) +
                                tests::tarMember("b.jpg", photo(100, 400)) + tests::tarEnd());
    const std::string path = (folder.path() / "set.tar").native();
    const auto source = tests::openSource("webdataset", {{"paths", TextList{path}}});
    VERIFY_OK(source);
    const SampleToShow second{{}, path, (*source)->name(1), 1};
    const SampleToShow changed{{}, path, "another name", 0};
    const SampleToShow none{{}, (folder.path() / "gone.tar").native(), "a", 0};
    SamplePictures pictures(QSize(76, 56));
    for (const SampleToShow& place : {second, changed, none})
      QVERIFY(pictures.picture(place).isNull());
    QVERIFY(
        QTest::qWaitFor([&] { return !pictures.isAtWork() && !pictures.picture(second).isNull(); },
                        tests::kGenerousMs));
    QCOMPARE(pictures.picture(second).size(), QSize(28, 112));
    QVERIFY(pictures.picture(changed).isNull() && pictures.picture(none).isNull());
  }

  void everyFormatThatCanBeWrittenShowsItsPictures_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("pictures");
    for (const Format& format : allFormats())
      if (format.openWriter != nullptr)
        for (const char* pictures : {"files", "bytes", "floats"})
          if (format.pictures != (std::string_view(pictures) == "files"
                                      ? Format::Pictures::Raw
                                      : Format::Pictures::Encoded))
            QTest::addRow("%s of %s", pictures, std::string(format.name).c_str())
                << QString::fromStdString(std::string(format.name)) << QString(pictures);
  }

  void everyFormatThatCanBeWrittenShowsItsPictures() {
    QFETCH(QString, format);
    QFETCH(QString, pictures);
    const Format& written = *formatNamed(format.toStdString());
    FieldSpec field{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};
    std::string value = photo(30, 20);
    if (pictures == "bytes") {
      field = {"image", DType::U8, {20, 30, 3}, Layout::Hwc, Role::Image};
      value = std::string(20 * 30 * 3, '\x5a');
    } else if (pictures == "floats") {
      field = {"image", DType::F32, {3, 20, 30}, Layout::Chw, Role::Image};
      std::vector<float> numbers(3 * 20 * 30, 0.25F);
      numbers[600] = 1;  // the green of the first pixel
      numbers[1] = 0;
      value.assign(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    }
    if (written.takes != nullptr && !written.takes(field, 1)) QSKIP("it cannot be written");
    const tests::TemporaryFolder folder;
    std::string name = "data";
    if (!written.targets.empty() && written.targets.front().oneFile)
      name += written.targets.front().text;
    auto writer = written.openWriter({folder.path(), name, 0, {field}, {}}, {});
    if (!writer) QSKIP(writer.error().message.c_str());
    const TensorView view{field.dtype, field.layout,
                          field.dtype == DType::Encoded
                              ? Shape{static_cast<std::int64_t>(value.size())}
                              : field.shape,
                          reinterpret_cast<std::byte*>(value.data()), value.size()};
    for (const char* key : {"a", "b"}) VERIFY_OK((*writer)->add({key, std::span(&view, 1)}));
    VERIFY_OK((*writer)->finish());
    OpenData data;
    const auto source = data.at(folder.path().native());
    QVERIFY2(source != nullptr, "inspect does not find it");
    if (source->fields()[0].role != Role::Image) QSKIP("it has arrays without a meaning");
    const QImage shown =
        readPicture({{}, folder.path().native(), source->name(1), 1}, data, QSize(60, 60));
    QCOMPARE(shown.size(), QSize(30, 20));
    if (pictures != "floats") QVERIFY(std::abs(qRed(shown.pixel(3, 3)) - 90) < 4);
    if (pictures == "floats") {
      QCOMPARE(shown.pixel(0, 0), qRgb(63, 255, 63));
      QCOMPARE(qRed(shown.pixel(1, 0)), 0);
    }
  }

  void parquetShowsItsPictures() {
    const std::string file = tests::sourcePath("tests/core/formats/parquet/classes/list.parquet");
    OpenData data;
    const auto source = data.at(file);
    QVERIFY(source != nullptr);
    const QImage shown = readPicture({{}, file, source->name(2), 2}, data, QSize(60, 60));
    QCOMPARE(shown.size(), QSize(8, 6));
    QCOMPARE(qRed(shown.pixel(3, 3)), 120);
  }

  void foldersOfOneNodeAreOfferedTogether() {
    const std::vector<DataPlace> pairs = {{"source", "inputs", "/d/blur", "paired_folders"},
                                          {"source", "targets", "/d/sharp", "paired_folders"}};
    QCOMPARE(dataChoices(pairs), (std::vector<std::filesystem::path>{"/d", "/d/blur", "/d/sharp"}));
    const std::vector<DataPlace> apart = {{"a", "path", "/d/one", "image_folder"},
                                          {"b", "path", "/d/two", "image_folder"}};
    QCOMPARE(dataChoices(apart), (std::vector<std::filesystem::path>{"/d/one", "/d/two"}));
  }
};

}  // namespace millrace

using millrace::TestDataPage;
MILLRACE_TEST_CASE(TestDataPage)
#include "tst_data_page.moc"
