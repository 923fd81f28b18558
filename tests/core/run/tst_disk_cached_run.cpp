// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs over a disk cache: a later run makes no sample again unless an upstream node has changed.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <QTemporaryDir>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::Outcome;
using tests::planOf;
using tests::PlanSettings;
using tests::runPlan;

/// A folder for caches, and pipelines that use it.
class CachedRuns {
 public:
  std::string cache() const {
    return fmt::format("disk_cache {{\"path\": \"{}\"}}\n", m_folder.path().toStdString());
  }
  /// Runs two epochs with caches opened freshly, as another process would.
  static Outcome run(const std::string& chain, const PlanSettings& settings = {}) {
    Outcome outcome;
    outcome.end = RunEnd::Failed;
    const Result<Plan> plan = planOf(chain, settings);
    if (!plan) return outcome.error = plan.error().message, outcome;
    const Result<CacheSet> caches = CacheSet::make(*plan);
    if (!caches) return outcome.error = caches.error().message, outcome;
    return runPlan(*plan, tests::epochs(2), *caches);
  }

 private:
  const QTemporaryDir m_folder;
};

const std::string kWords = "words {\"count\": 30}\n";
const std::string kTail = "batch {\"size\": 4}\nprefetch\ndrain";

}  // namespace

class TestDiskCachedRun : public QObject {
  Q_OBJECT
 private slots:
  void aLaterRunReadsNothing() {
    const CachedRuns runs;
    const Outcome plain = CachedRuns::run(kWords + "tint\n" + kTail);
    QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
    for (const int count : {0, 3}) {
      const std::string region = count == 0 ? "" : tests::workers(count) + "\n";
      const std::string chain = kWords + region + "tint\n" + runs.cache() + kTail;
      const Outcome cached = CachedRuns::run(chain);
      QVERIFY2(cached.end == RunEnd::Finished, cached.error.c_str());
      QVERIFY(cached.batches == plain.batches);
      QCOMPARE(cached.totals.reads, count == 0 ? std::uint64_t{30} : std::uint64_t{0});
      const Outcome again = CachedRuns::run(chain);
      QVERIFY(again.batches == plain.batches);
      QCOMPARE(again.totals.reads, 0U);
    }
  }

  void orderSeedThreadsQueuesAndWhatStandsBehindDoNotMatter() {
    const CachedRuns runs;
    const std::string front = "tint {\"amount\": 3}\n" + runs.cache();
    QCOMPARE(CachedRuns::run(kWords + front + kTail).totals.reads, 30U);
    for (const std::string& other :
         {kWords + "shuffle\n" + front + kTail, kWords + "take {\"count\": 7}\n" + front + kTail,
          kWords + "repeat {\"count\": 2}\n" + tests::workers(2) + "\n" + front + kTail,
          kWords + front + "tint\n" + kTail, kWords + front + "batch {\"size\": 5}\ndrain",
          kWords + "memory_cache\n" + front + kTail}) {
      const Outcome outcome = CachedRuns::run(other, {77, true, false});
      QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
      QCOMPARE(outcome.totals.reads, 0U);
    }
  }

  void whatStandsInFrontDoes() {
    const CachedRuns runs;
    const std::string cache = runs.cache();
    for (const std::string& chain :
         {kWords + "tint\n" + cache + kTail, kWords + "tint {\"amount\": 9}\n" + cache + kTail,
          kWords + cache + kTail, kWords + "tint\ntint\n" + cache + kTail,
          kWords + "batch {\"size\": 4}\ntint\n" + cache + "drain",
          "words {\"count\": 30, \"unit\": 5}\ntint\n" + cache + kTail}) {
      const Outcome outcome = CachedRuns::run(chain);
      QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
      QVERIFY2(outcome.totals.reads >= 30, chain.c_str());
    }
  }

  void aCacheBehindTheBatchIsACacheToo() {
    const CachedRuns runs;
    const std::string source = "synthetic {\"count\": 12}\nbatch {\"size\": 4}\ntint\n";
    const Outcome plain = CachedRuns::run(source + "tint\ndrain");
    for (int run = 0; run < 2; ++run) {
      const Outcome cached = CachedRuns::run(source + runs.cache() + "tint\ndrain");
      QVERIFY2(cached.end == RunEnd::Finished, cached.error.c_str());
      QVERIFY(cached.batches == plain.batches);
    }
  }

  void aChangedFileIsNeverServedStale() {
    const CachedRuns runs;
    const QTemporaryDir photos;
    tests::writePictures(photos.path().toStdString(), 12);
    const std::string front = fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\ndecode\nresize {{\"height\": 16, "
        "\"width\": 16}}\n",
        photos.path().toStdString());
    const std::string tail = "batch {\"size\": 4}\ndrain";
    const std::string chain = front + runs.cache() + tail;
    const auto serves = [&](bool read) {
      const Outcome cached = CachedRuns::run(chain);
      const Outcome plain = CachedRuns::run(front + tail);
      return cached.end == RunEnd::Finished && cached.batches == plain.batches &&
             (cached.totals.reads > 0) == read;
    };
    QVERIFY(serves(true));
    QVERIFY(serves(false));
    std::filesystem::copy_file(photos.filePath("even/002.png").toStdString(),
                               photos.filePath("even/000.jpg").toStdString(),
                               std::filesystem::copy_options::overwrite_existing);
    QVERIFY(serves(true));
    QVERIFY(serves(false));
    std::filesystem::remove(photos.filePath("odd/001.jpg").toStdString());
    QVERIFY(serves(true));
  }

  void aChangedListOrPartnerIsNeverServedStale() {
    const QTemporaryDir data;
    const auto write = [&](const char* name, const char* text) {
      const std::filesystem::path file = data.filePath(name).toStdString();
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << text;
    };
    for (const char* name : {"in/a", "in/b", "out/a", "out/b"}) write(name, name);
    write("list.csv", "image,label\nin/a,0\nin/b,1\n");
    const std::string manifest =
        fmt::format("manifest {{\"paths\": [\"{}\"]}}\n", data.filePath("list.csv").toStdString());
    const std::string pairs =
        fmt::format("paired_folders {{\"input\": \"{}\", \"target\": \"{}\"}}\n",
                    data.filePath("in").toStdString(), data.filePath("out").toStdString());
    const CachedRuns runs;
    const std::string tail = "batch {\"size\": 2}\ndrain";
    const auto serves = [&](const std::string& source, bool read) {
      const Outcome cached = CachedRuns::run(source + runs.cache() + tail);
      const Outcome plain = CachedRuns::run(source + tail);
      return cached.end == RunEnd::Finished && cached.batches == plain.batches &&
             (cached.totals.reads > 0) == read;
    };
    for (const std::string& source : {manifest, pairs}) {
      QVERIFY(serves(source, true));
      QVERIFY(serves(source, false));
    }
    write("list.csv", "image,label\nin/a,0\nin/b,20\n");
    QVERIFY(serves(manifest, true));
    QVERIFY(serves(pairs, false));
    write("out/b", "another partner");
    QVERIFY(serves(manifest, false));
    QVERIFY(serves(pairs, true));
  }

  /// There pictures may be decoded at another scale (docs/reference/regions-and-queues.md).
  void nodesRunApartAreAnotherCache() {
    const CachedRuns runs;
    const std::string chain =
        "synthetic {\"content\": \"image\", \"count\": 8}\nresize\nnormalise\n" + runs.cache() +
        "batch {\"size\": 4}\ndrain";
    const auto misses = [&](bool fuse) {
      const Result<Plan> plan = planOf(chain, {5, fuse, false});
      const Result<CacheSet> caches = CacheSet::make(*plan);
      (void)runPlan(*plan, tests::epochs(1), *caches);
      return caches->figures().front().fill.misses;
    };
    QCOMPARE(misses(true), 8U);
    QCOMPARE(misses(true), 0U);
    QCOMPARE(misses(false), 8U);
    QCOMPARE(misses(false), 0U);
  }

  void afterADamageTheSampleIsMadeAnewInFrontOfTheBatchAndBehind() {
    for (const std::string& front : {kWords + "tint\n", kWords + "batch {\"size\": 4}\ntint\n"}) {
      const QTemporaryDir folder;
      const std::string chain =
          front + fmt::format("disk_cache {{\"path\": \"{}\"}}\n", folder.path().toStdString()) +
          (front.find("batch") == std::string::npos ? "batch {\"size\": 4}\n" : "") + "drain";
      const Outcome first = CachedRuns::run(chain);
      QVERIFY2(first.end == RunEnd::Finished, first.error.c_str());
      for (const auto& entry :
           std::filesystem::recursive_directory_iterator(folder.path().toStdString())) {
        if (entry.path().extension() != ".records") continue;
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        for (const int at : {300, 2000, 4000}) {
          file.seekp(at);
          file.put('?');
        }
      }
      const Outcome again = CachedRuns::run(chain);
      QVERIFY(again.batches == first.batches);
    }
  }

  void theErrorOfAFolderThatCannotBeUsedNamesTheNode() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    std::ofstream(file) << "x";
    const Outcome outcome =
        CachedRuns::run(kWords + fmt::format("disk_cache {{\"path\": \"{}\"}}\n", file) + kTail);
    QVERIFY(outcome.end == RunEnd::Failed);
    QVERIFY2(outcome.error.starts_with("disk_cache: the cache folder"), outcome.error.c_str());
  }
};

}  // namespace millrace

using millrace::TestDiskCachedRun;
MILLRACE_TEST_CASE(TestDiskCachedRun)
#include "tst_disk_cached_run.moc"
