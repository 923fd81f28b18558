// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#data-report: in the main window, with the real engine, from the menu to the
// problems of the data, saved lists, and figures in the pipeline; stopped and continued.
#include <cmath>
#include <filesystem>

#include <QAction>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QListWidget>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/canvas_menu.h"
#include "app/workbench/window/long_jobs.h"
#include "core/codecs/encode.h"
#include "tests/support/places.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/start_bench.h"
#include "tests/widgets/window_bench.h"
#include "widgets/data/finding_panel.h"
#include "widgets/data/sample_list_model.h"
#include "widgets/data/set_overview.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

const std::string kPipeline = R"({"format_version": 1, "nodes": [
  {"id": "source", "kind": "image_folder", "params": {"paths": ["pets"]}},
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "decode", "kind": "decode"},
  {"id": "resize", "kind": "resize", "params": {"width": 32, "height": 32}},
  {"id": "batch", "kind": "batch", "params": {"size": 4}},
  {"id": "drain", "kind": "drain"}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "decode"},
            {"from": "decode", "to": "resize"}, {"from": "resize", "to": "batch"},
            {"from": "batch", "to": "drain"}]})";

/// A JPEG file of waves that differ by `seed`.
std::string photo(int seed, int width = 120, int height = 90) {
  std::vector<std::uint8_t> values;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        const double u = 6.28 * x / width;
        const double v = 6.28 * y / height;
        const double wave = std::sin((1 + seed % 5) * u + c) + std::cos((1 + seed % 7) * v + seed);
        values.push_back(static_cast<std::uint8_t>(128 + 60 * wave));
      }
  const auto bytes =
      encodeJpeg({values.data(), width, height, 3, std::ptrdiff_t{width} * 3}, {}).take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Two classes with a broken picture, a cut one and a copy.
void writePets(const tests::TemporaryFolder& folder) {
  for (int i = 0; i < 8; ++i)
    folder.write(std::string(i < 4 ? "pets/cat/p" : "pets/dog/p") + std::to_string(i) + ".jpg",
                 photo(i));
  folder.write("pets/cat/broken.jpg", "not a picture");
  folder.write("pets/dog/cut.jpg", photo(9).substr(0, photo(9).size() * 2 / 3));
  folder.write("pets/dog/twice.jpg", photo(5));
  folder.write("mine.millrace.json", kPipeline);
}

class DataBench : public tests::WindowBench {
 public:
  explicit DataBench(const tests::TemporaryFolder& folder) : WindowBench(folder) {
    controller().job().setProgram(tests::kMillrace);
    controller().saving().setProgram(tests::kMillrace);
  }
  DataReportController& controller() { return window->dataReports(); }
  DataPage& page() { return controller().page(); }
  bool ends() {
    return waits([this] { return controller().report().isOver() && !controller().isRunning(); });
  }
  /// Shows the part of the report whose title begins so.
  bool show(const QString& part) {
    for (int i = 0; i < page().parts().count(); ++i)
      if (page().parts().item(i)->text().startsWith(part)) {
        page().parts().setCurrentRow(i);
        return true;
      }
    return false;
  }
  bool save(const ReportExport& what, const fs::path& file) {
    controller().save(what, fileText(file));
    return waits([this] { return !controller().saving().isRunning(); });
  }
};

}  // namespace

class TestDataInWindow : public QObject {
  Q_OBJECT
 private slots:
  void fromTheMenuToTheProblemsOfTheData() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.controller().isRunning());
    QCOMPARE(bench.window->tabs().currentWidget(), &bench.page());
    QVERIFY(!bench.window->action("diagnose")->isEnabled());
    QVERIFY(bench.ends());
    QVERIFY2(bench.controller().report().isComplete(), qPrintable(bench.page().warnedText()));
    QVERIFY2(
        bench.page().words().replace(QChar(0xA0), ' ').startsWith("All 11 samples were examined"),
        qPrintable(bench.page().words()));
    QVERIFY(bench.show("Broken"));
    SampleListModel& samples = bench.page().samples().model();
    QCOMPARE(samples.rowCount(), 1);
    QCOMPARE(samples.pathAt(0), fileText(folder.path() / "pets/cat/broken.jpg"));
    QVERIFY(bench.show("Copies"));
    QCOMPARE(samples.pathAt(0), fileText(folder.path() / "pets/dog/twice.jpg"));
    // Both pictures of a copy are shown.
    const auto picture = [&](int column) {
      return !samples.index(0, column).data(Qt::DecorationRole).value<QImage>().isNull();
    };
    QVERIFY(bench.waits([&] { return picture(0) && picture(1); }));
    QVERIFY(bench.show("Cut off"));
    QVERIFY(bench.waits([&] { return picture(0); }));
    // Nothing is read again.
    bench.page().button("examine")->click();
    QVERIFY(bench.ends());
    QVERIFY2(bench.page().words().endsWith("by an earlier report."),
             qPrintable(bench.page().words()));
  }

  /// The engine names a sample by its number and the path of its set; the picture is read there.
  void samplesOfContainersHavePictures() {
    const tests::TemporaryFolder folder;
    std::string tar;
    for (int i = 0; i < 4; ++i)
      tar += tests::tarMember("p" + std::to_string(i) + ".jpg", photo(i % 3)) +
             tests::tarMember("p" + std::to_string(i) + ".cls", "1");
    folder.write("pets.tar", tar + tests::tarEnd());
    std::string pipeline = kPipeline;
    const std::string folders = R"("image_folder", "params": {"paths": ["pets"]})";
    pipeline.replace(pipeline.find(folders), folders.size(),
                     R"("webdataset", "params": {"paths": ["pets.tar"]})");
    folder.write("mine.millrace.json", pipeline);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.ends());
    QVERIFY(bench.show("Copies"));
    SampleListModel& samples = bench.page().samples().model();
    QCOMPARE(samples.rowCount(), 1);
    QVERIFY(samples.hasPictures());
    QVERIFY(bench.waits([&] {
      return !samples.index(0, 0).data(Qt::DecorationRole).value<QImage>().isNull() &&
             !samples.index(0, 1).data(Qt::DecorationRole).value<QImage>().isNull();
    }));
  }

  void itsFiguresAreUsedAsOneStepThatCanBeUndone() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.ends());
    const Graph before = bench.document().graph();
    bench.page().button("normalise")->click();
    QVERIFY2(bench.page().saidText().startsWith(
                 "Applied to mine.millrace.json: Normalise added, mean 0."),
             qPrintable(bench.page().saidText()));
    const Graph after = bench.document().graph();
    QCOMPARE(after.nodes.size(), before.nodes.size() + 1);
    const auto added = std::ranges::find(after.wires, NodeId("batch"), &GraphWire::to)->from;
    const SetReport& set = bench.controller().report().report()->sets.front();
    const auto& mean = std::get<RealList>(std::get<Value>(after.node(added)->params.at("mean")));
    QCOMPARE(mean.size(), std::size_t{3});
    for (std::size_t c = 0; c < 3; ++c) QVERIFY(std::abs(mean[c] - set.mean[c]) < 1e-4);
    bench.page().button("normalise")->click();
    QCOMPARE(bench.page().saidText(),
             QString("The pipeline already normalises with these figures."));
    bench.window->action("undo")->trigger();
    QVERIFY(bench.document().graph() == before);
  }

  void listsAndTheReportAreWrittenByTheEngine() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.ends());
    using Kind = ReportExport::Kind;
    QVERIFY(bench.save({Kind::Clean, {}}, folder.path() / "good.csv"));
    QVERIFY2(bench.page().saidText().startsWith("Saved as "),
             qPrintable(bench.page().warnedText()));
    const std::string good = tests::contentOf(folder.path() / "good.csv");
    QVERIFY2(good.starts_with("image,label\n"), good.c_str());
    QCOMPARE(std::ranges::count(good, '\n'), 9);
    QVERIFY(bench.save({Kind::Findings, Finding::Broken}, folder.path() / "broken.txt"));
    QCOMPARE(tests::contentOf(folder.path() / "broken.txt"),
             (folder.path() / "pets/cat/broken.jpg").native() + "\n");
    QVERIFY(bench.save({Kind::Json, {}}, folder.path() / "report.json"));
    const QJsonObject report =
        tests::parsed(QByteArray::fromStdString(tests::contentOf(folder.path() / "report.json")));
    QCOMPARE(report["sets"][0]["samples"].toInt(), 11);
    QCOMPARE(report["findings"][0]["finding"].toString(), QString("broken"));
    // A folder that is not there is reported, and nothing else changes.
    QVERIFY(bench.save({Kind::Json, {}}, folder.path() / "none" / "report.json"));
    QVERIFY(!bench.page().warnedText().isEmpty());
    QVERIFY(bench.controller().report().isComplete());
  }

  void aStoppedExaminationContinuesWhereItWas() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kPipeline);
    folder.write("pets/cat/0.jpg", photo(1, 1500, 1500));
    constexpr int kPictures = 600;
    fs::create_directories(folder.path() / "pets/dog");
    for (int i = 1; i < kPictures; ++i)
      fs::create_hard_link(
          folder.path() / "pets/cat/0.jpg",
          folder.path() / (i % 2 == 0 ? "pets/cat" : "pets/dog") / (std::to_string(i) + ".jpg"));
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.waits([&] { return bench.controller().report().done() > 0; }));
    bench.page().button("stop")->click();
    QVERIFY(bench.ends());
    const auto partial = bench.controller().report().report();
    QVERIFY(partial && partial->interrupted);
    QVERIFY(partial->examined() > 0 && partial->examined() < kPictures);
    QVERIFY2(bench.page().words().startsWith("Stopped after"), qPrintable(bench.page().words()));
    QVERIFY(bench.window->action("run")->isEnabled() || bench.window->page() == nullptr);
    QCOMPARE(bench.page().button("examine")->text(), QString("Continue"));
    bench.page().button("examine")->click();
    QVERIFY(bench.ends());
    const auto whole = bench.controller().report().report();
    QVERIFY(whole && bench.controller().report().isComplete());
    QCOMPARE(whole->examined(), std::uint64_t{kPictures});
    QVERIFY(whole->sets.front().resumed >= partial->examined());
  }

  void dataThatIsMissingOrUnreadableIsExplained() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    fs::rename(folder.path() / "pets", folder.path() / "gone");
    bench.window->action("examine")->trigger();
    QVERIFY(bench.ends());
    QVERIFY2(bench.page().warnedText().contains("does not exist"),
             qPrintable(bench.page().warnedText()));
    // The engine dies.
    bench.controller().job().setProgram(
        tests::writeEngine(fileText(folder.path()), tests::kSayHello + "kill -9 $$"));
    bench.page().button("examine")->click();
    QVERIFY(bench.ends());
    QVERIFY2(
        bench.page().warnedText().contains("signal") || bench.page().warnedText().contains("ended"),
        qPrintable(bench.page().warnedText()));
    QVERIFY(bench.page().button("examine")->isEnabled());
  }

  void aPipelineWithoutFilesSaysSo() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", R"({"format_version": 1, "nodes": [
      {"id": "source", "kind": "synthetic"}, {"id": "drain", "kind": "drain"}],
      "wires": [{"from": "source", "to": "drain"}]})");
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(!bench.controller().isRunning());
    QVERIFY(qobject_cast<PipelinePage*>(bench.window->tabs().currentWidget()) != nullptr);
  }

  void theStartPageOffersItForTheUsersFolder() {
    tests::StartBench bench;
    writePets(bench.folder);
    DataReportController& reports = bench.window.dataReports();
    reports.job().setProgram(tests::kMillrace);
    QVERIFY(!bench.button("start_examine")->isVisible());  // An example is chosen.
    bench.drop(bench.folder.path() / "pets");
    QVERIFY(bench.waits([&] { return bench.button("start_examine")->isVisible(); }));
    bench.button("start_examine")->click();
    QVERIFY(!bench.window.start().isShown());
    QVERIFY(bench.waits([&] { return reports.report().isOver() && !reports.isRunning(); }));
    QVERIFY2(reports.report().isComplete(), qPrintable(reports.page().warnedText()));
    QCOMPARE(reports.report().of(), std::uint64_t{11});
    QCOMPARE(bench.window.tabs().currentWidget(), &reports.page());
  }

  void theMenuOfTheSourceOffersIt() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    const auto offers = [&](const NodeId& id) {
      bench.window->page()->session().selection.set({id});
      QMenu menu;
      CanvasThing thing;
      thing.kind = CanvasThing::Kind::Nodes;
      fillCanvasMenu(menu, *bench.window->page(), thing,
                     [&](const char* name) { return bench.window->action(name); });
      return menu.actions().contains(bench.window->action("examine"));
    };
    QVERIFY(offers("source"));
    QVERIFY(!offers("decode"));
  }

  void theDesktopLearnsOfIt() {
    const tests::TemporaryFolder folder;
    writePets(folder);
    DataBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("examine")->trigger();
    QVERIFY(bench.ends());
    const LongJob job = longJobsOf(*bench.window).back();
    QVERIFY(!job.isRunning());
    QCOMPARE(job.end()->title, QString("The data of mine.millrace.json is examined"));
  }
};

}  // namespace millrace

using millrace::TestDataInWindow;
MILLRACE_TEST_CASE(TestDataInWindow)
#include "tst_data_in_window.moc"
