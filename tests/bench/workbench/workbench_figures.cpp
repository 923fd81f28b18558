// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The response times of the workbench, drawn offscreen:
//   workbench_figures STORE
// with the store of 10 000 runs made by store_scale. Prints the median and the maximum of a hundred
// frames or of some repeats, in milliseconds, next to the target.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <QApplication>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/workbench/window/runs_area.h"
#include "core/formats/io/unique_fd.h"
#include "core/graph/graph_check.h"
#include "tests/widgets/canvas_page.h"
#include "tests/widgets/kept_store.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/compare/compare_set.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"

namespace {

using namespace millrace;
constexpr int kPatienceMs = 60000;

double millisecondsOf(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "error: %s\n", what);
  std::exit(1);
}

void report(const char* what, std::vector<double> times, double wanted) {
  std::ranges::sort(times);
  std::printf("%-44s median %7.2f ms, worst %7.2f ms; wanted under %.1f ms\n", what,
              times[times.size() / 2], times.back(), wanted);
}

/// A chain of 500 nodes, most of them in the workers' region.
std::string chainOf500() {
  std::string json = R"({"format_version": 1, "seed": 1, "nodes": [
    {"id": "n0", "kind": "synthetic", "params": {"content": "image"}},
    {"id": "n1", "kind": "workers"})";
  std::string wires = R"({"from": "n0", "to": "n1"})";
  constexpr int kNodes = 500;
  for (int i = 2; i < kNodes; ++i) {
    const char* kind = i == kNodes - 1   ? "drain"
                       : i == kNodes - 2 ? "prefetch"
                       : i == kNodes - 3 ? "batch"
                                         : "flip";
    json += R"(, {"id": "n)" + std::to_string(i) + R"(", "kind": ")" + kind + R"("})";
    wires +=
        R"(, {"from": "n)" + std::to_string(i - 1) + R"(", "to": "n)" + std::to_string(i) + R"("})";
  }
  return json + R"(], "wires": [)" + wires + "]}";
}

void canvasFigures() {
  tests::CanvasPage page;
  require(page.document().openText(chainOf500(), "chain").ok(), "the chain does not open");
  page.settle();
  CanvasView& view = page.view();
  view.fit();
  const auto frame = [&] { view.viewport()->repaint(); };
  constexpr double kFrameMs = 1000.0 / 60;
  for (const double zoom : {0.1, 0.3, 0.6, 1.0}) {
    view.setZoom(zoom, view.viewport()->rect().center());
    frame();
    std::vector<double> times;
    for (int i = 0; i < 100; ++i)
      times.push_back(millisecondsOf([&] {
        QScrollBar& bar = *(i % 2 == 0 ? view.horizontalScrollBar() : view.verticalScrollBar());
        bar.setValue(bar.value() + (i < 50 ? 13 : -13));
        frame();
      }));
    report(qPrintable(QString("500 nodes, pan at zoom %1").arg(zoom)), times, kFrameMs);
  }
  std::vector<double> zooms;
  for (int i = 0; i < 100; ++i)
    zooms.push_back(millisecondsOf([&] {
      view.zoomBy(i < 50 ? 1.05 : 1 / 1.05);
      frame();
    }));
  report("500 nodes, zoom", zooms, kFrameMs);
  std::vector<double> checks;
  for (int i = 0; i < 20; ++i)
    checks.push_back(millisecondsOf([&] { (void)checkGraph(page.graph(), builtinCatalog(), {}); }));
  report("500 nodes, check again", checks, 30);
}

struct Area {
  Area(const std::filesystem::path& file, const QString& settingsFile)
      : settings(settingsFile, QSettings::IniFormat),
        store(file),
        area(store, builtinCatalog(), settings,
             {"number", "name", "workers.count", "samples_per_second", "verdict"}) {
    area.resize(1400, 900);
    area.show();
    require(QTest::qWaitFor([this] { return area.page().model().rowCount() > 0; }, kPatienceMs),
            "the store shows no run");
    require(QTest::qWaitFor([this] { return area.isSettled(); }, kPatienceMs),
            "the store is never read");
  }
  QSettings settings;
  StoreThread store;
  RunsArea area;
};

/// Removes the file from the page cache, as after a start of the machine.
void dropPages(const char* file) {
  const UniqueFd fd(::open(file, O_RDONLY | O_CLOEXEC));
  ::fsync(fd.get());
  ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
}

void manyRuns(const char* file, const QString& folder) {
  dropPages(file);
  Area a(file, folder + "/many.ini");
  // A user looks before typing.
  QTest::qWait(1000);
  RunsPage& page = a.area.page();
  // Every run that comes into view also gets a verdict.
  RunListRequest request = page.model().listRequest();
  request.baseline = RunNumber{1};
  page.model().setRequest(request);
  require(QTest::qWaitFor([&] { return a.area.isSettled(); }, kPatienceMs), "it is never idle");
  const int runs = page.model().rowCount();
  std::vector<double> times;
  for (const QString& query : {QString("workers.count > 1"), QString("batch.size = 64"),
                               QString("samples_per_second > 500"), QString("not tag:draft")})
    for (qsizetype typed = 1; typed <= query.size(); ++typed) {
      QSignalSpy listed(&page.model(), &RunTableModel::listed);
      bool answered = false;
      const double time = millisecondsOf([&] {
        page.queryLine().setText(query.left(typed));
        answered =
            QTest::qWaitFor([&] { return listed.count() > 0 && !page.model().isLoading(); }, 2000);
        page.view().viewport()->repaint();
      });
      require(answered, "a letter was not answered");
      // A prefix that is not a query leaves the table unchanged.
      if (page.model().listing().mistake) continue;
      times.push_back(time);
      if (time > 100) std::printf("  %s: %.0f ms\n", qPrintable(query.left(typed)), time);
    }
  require(!times.empty(), "no query was answered");
  report(qPrintable(QString("%1 runs, a letter of a query").arg(runs)), times, 100);
}

void fiftyRuns(const QString& folder) {
  const tests::KeptStore kept;
  RunStore store = kept.open();
  std::vector<RunNumber> runs;
  for (int i = 1; i <= 50; ++i)
    runs.push_back(tests::KeptStore::add(store, {.workers = i, .moreSettings = 120}));
  Area a(kept.file(), folder + "/fifty.ini");
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    a.area.page().view().choose({});
    require(QTest::qWaitFor([&] { return a.area.isSettled(); }, kPatienceMs), "it is never idle");
    QSignalSpy changed(&a.area.set(), &CompareSet::changed);
    times.push_back(millisecondsOf([&] {
      a.area.page().view().choose(runs);
      require(
          QTest::qWaitFor([&] { return changed.count() > 0 && a.area.isSettled(); }, kPatienceMs),
          "the runs are never compared");
      a.area.repaint();
    }));
  }
  report("50 runs of 120 parameters, compared", times, 200);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "workbench_figures STORE\n");
    return 2;
  }
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  millrace::applyTheme(millrace::Appearance::Light);
  const QTemporaryDir folder;
  canvasFigures();
  fiftyRuns(folder.path());
  manyRuns(argv[1], folder.path());
  return 0;
}
