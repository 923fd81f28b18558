// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs whose decode node keeps a side index: the same batches with less decoding.
#include <filesystem>

#include <fmt/format.h>

#include <QTemporaryDir>

#include "core/graph/json/graph_json.h"
#include "core/loader/loader_state.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::Outcome;
using tests::planOf;
using tests::runPlan;

std::uint64_t countOf(const Outcome& outcome, const std::string& name) {
  std::uint64_t sum = 0;
  for (const NodeTotals& node : outcome.totals.nodes)
    for (const NamedCount& counters : node.counters)
      if (counters.name == name) sum += counters.count;
  return sum;
}

SampleCache::Fill fillOf(const CacheSet& caches) {
  for (const CacheFigures& figures : caches.figures())
    if (figures.id == "decode") return figures.fill;
  return {};
}

constexpr const char* kUsed = "JPEG decoded by the side index";
constexpr const char* kSkipped = "MCUs skipped by the side index";
constexpr const char* kMadeAnew =
    "side indices damaged or of another file, made anew";  // words: ok

}  // namespace

class TestSideIndexRun : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::string chain(std::int64_t sideIndex, const std::string& behindSource = "",
                    const std::string& more = "") const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}\ndecode {{\"side_index\": {}{}}}\n"
        "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\nbatch {{\"size\": 5}}\n"
        "prefetch\ndrain",
        m_folder.path().toStdString(), behindSource, sideIndex, more);
  }

 private slots:
  void initTestCase() { tests::writePictures(m_folder.path().toStdString(), 23); }

  void batchesAreTheSameAndMcusAreSkippedFromTheSecondEpochOn() {
    const Outcome plain = runPlan(*planOf(chain(0)), tests::epochs(8));
    QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
    QCOMPARE(countOf(plain, kUsed), 0U);
    for (const std::string& region :
         {std::string(), tests::workers(3), std::string("memory_cache")}) {
      const Result<Plan> plan = planOf(chain(1 << 20, region));
      VERIFY_OK(plan);
      const Result<CacheSet> caches = CacheSet::make(*plan);
      VERIFY_OK(caches);
      const Outcome indexed = runPlan(*plan, tests::epochs(8), *caches);
      QVERIFY2(indexed.end == RunEnd::Finished, indexed.error.c_str());
      QVERIFY(indexed.batches == plain.batches);
      QVERIFY(countOf(indexed, kUsed) > 10);
      QVERIFY(countOf(indexed, kSkipped) >= countOf(indexed, kUsed));
      QCOMPARE(countOf(indexed, kMadeAnew), 0U);
      const SampleCache::Fill fill = fillOf(*caches);
      QVERIFY(fill.entries > 8 && fill.entries <= 16);
      QCOMPARE(fill.hits, countOf(indexed, kUsed));
      QVERIFY(fill.bytes > 0 && fill.bytes < 16 * 1024);
      // A repeat uses what the side index already knows.
      const Outcome again = runPlan(*plan, tests::epochs(1), *caches);
      QVERIFY(std::equal(again.batches.begin(), again.batches.end(), plain.batches.begin()));
      QVERIFY(countOf(again, kUsed) > 0);
    }
  }

  void aFileThatChangedIsDecodedAsItIs() {
    const Result<Plan> plan = planOf(chain(1 << 20));
    const Result<CacheSet> caches = CacheSet::make(*plan);
    QVERIFY(runPlan(*plan, tests::epochs(8), *caches).end == RunEnd::Finished);
    // Each JPEG file is replaced by the next one.
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(m_folder.path().toStdString()))
      if (entry.path().extension() == ".jpg") files.push_back(entry.path());
    const std::filesystem::path spare = m_folder.filePath("spare").toStdString();
    std::filesystem::rename(files.front(), spare);
    for (std::size_t i = 0; i + 1 < files.size(); ++i)
      std::filesystem::rename(files[i + 1], files[i]);
    std::filesystem::rename(spare, files.back());

    const Outcome plain = runPlan(*planOf(chain(0)), tests::epochs(4));
    const Outcome indexed = runPlan(*planOf(chain(1 << 20)), tests::epochs(4), *caches);
    QVERIFY2(indexed.end == RunEnd::Finished, indexed.error.c_str());
    QVERIFY(indexed.batches == plain.batches);
    QVERIFY(countOf(indexed, kMadeAnew) > 3);
    QCOMPARE(fillOf(*caches).damaged, countOf(indexed, kMadeAnew));
  }

  void theLibraryNeedsNone() {
    const Result<Plan> plan = planOf(chain(1 << 20, "", ", \"decoder\": \"library\""));
    const Result<CacheSet> caches = CacheSet::make(*plan);
    const Outcome outcome = runPlan(*plan, tests::epochs(2), *caches);
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(countOf(outcome, kUsed), 0U);
    QCOMPARE(fillOf(*caches).entries, 0U);
    QCOMPARE(fillOf(*caches).misses, 0U);
  }

  void samplesKeptWithoutItAreFoundWithIt() {
    const QTemporaryDir kept;
    const auto reads = [&](std::int64_t sideIndex) {
      const Result<Plan> plan = planOf(
          fmt::format("image_folder {{\"paths\": [\"{}\"]}}\ndecode {{\"side_index\": {}}}\n"
                      "resize {{\"height\": 16, \"width\": 16}}\ndisk_cache {{\"path\": \"{}\"}}\n"
                      "batch {{\"size\": 5}}\ndrain",
                      m_folder.path().toStdString(), sideIndex, kept.path().toStdString()));
      return runPlan(*plan, tests::epochs(1), *CacheSet::make(*plan)).totals.reads;
    };
    QCOMPARE(reads(0), 23U);
    QCOMPARE(reads(1 << 20), 0U);
  }

  void aStateGoesOnWhereItDiffers() {
    const auto differ = [&](const std::string& then, const std::string& now) {
      LoaderState states[2];
      states[0].graph = *parseGraph(tests::documentOf(then), tests::runCatalog()).graph;
      states[1].graph = *parseGraph(tests::documentOf(now), tests::runCatalog()).graph;
      return stateDifferences(states[0], states[1], tests::runCatalog());
    };
    QVERIFY(differ(chain(0), chain(1 << 20)).empty());
    QVERIFY(!differ(chain(0), chain(0, "", ", \"form\": \"grey\"")).empty());
  }

  void thePlanNamesTheMemoryThatItMayTake() {
    const auto names = [](const Plan& plan) {
      for (const std::string& line : plan.text())
        if (line == "side index of decode: up to 1 MB of memory") return true;
      return false;
    };
    QVERIFY(names(*planOf(chain(1'000'000))));
    QVERIFY(!names(*planOf(chain(0))));
    QVERIFY2(CacheSet::make(*planOf(chain(1 << 20)))->gainByAnEpoch(), "a warm-up of an epoch");
    QVERIFY(!CacheSet::make(*planOf(chain(0)))->gainByAnEpoch());
  }
};

}  // namespace millrace

using millrace::TestSideIndexRun;
MILLRACE_TEST_CASE(TestSideIndexRun)
#include "tst_side_index_run.moc"
