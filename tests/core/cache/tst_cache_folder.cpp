// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Caches and the folder that they share: its limit, who may write to it, and what else is in it.
#include "core/cache/cache_folder.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/core/cache/kept_samples.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"

namespace millrace {

using tests::cacheIn;
using tests::find;
using tests::findAll;
using tests::folderOf;
using tests::Found;
using tests::keep;
using tests::keepAll;
using tests::KeptSample;
using tests::opened;
using tests::Unprivileged;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLarge = 100000;

/// Samples of kLarge bytes.
void keepLarge(SampleCache& cache, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) keep(cache, KeptSample(i, kLarge));
}
std::uint32_t foundLarge(SampleCache& cache, std::uint32_t count) {
  std::uint32_t right = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (find(cache, KeptSample(i, kLarge)) == Found::Right) ++right;
  return right;
}

DiskCacheSettings limited(const QTemporaryDir& folder, const std::string& key,
                          std::uint64_t samples) {
  DiskCacheSettings settings = cacheIn(folder, key);
  settings.limitBytes = samples * kLarge;
  return settings;
}

std::uint64_t bytesBelow(const fs::path& root) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

void openedAgo(const DiskCacheSettings& settings, int seconds) {
  const fs::path lock = folderOf(settings) / "lock";
  fs::last_write_time(lock, fs::last_write_time(lock) - std::chrono::seconds(seconds));
}

void allow(const fs::path& path, unsigned mode) {
  fs::permissions(path, static_cast<fs::perms>(mode));
}

/// Limits the size of files while this object exists.
class LargestFile {
 public:
  explicit LargestFile(std::uint64_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    struct rlimit limit = m_before;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LargestFile() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  void (*m_handler)(int);
  struct rlimit m_before{};
};

}  // namespace

class TestCacheFolder : public QObject {
  Q_OBJECT
 private slots:
  void stopsKeepingAtTheLimitAndSaysSo() {
    const QTemporaryDir folder;
    const auto cache = opened(limited(folder, "a", 40));
    keepLarge(*cache, 100);
    const SampleCache::Fill fill = cache->fill();
    QVERIFY(fill.entries >= 36 && fill.entries <= 40);
    QVERIFY2(fill.stopped.find("limit of 4 MB") != std::string::npos, fill.stopped.c_str());
    QVERIFY(bytesBelow(cacheIn(folder).root) <= 40 * kLarge);
    QCOMPARE(std::uint64_t{foundLarge(*cache, 100)}, fill.entries);
  }

  void theCacheOpenedLongestAgoMakesRoom() {
    const QTemporaryDir folder;
    for (const char* key : {"old", "older", "new"})
      keepLarge(*opened(limited(folder, key, 40)), 10);
    openedAgo(limited(folder, "old", 40), 100);
    openedAgo(limited(folder, "older", 40), 1000);
    const auto cache = opened(limited(folder, "newest", 40));
    keepLarge(*cache, 15);
    QCOMPARE(cache->fill().entries, 15U);
    QVERIFY(folderOf(limited(folder, "older", 40)).empty());
    QCOMPARE(foundLarge(*opened(limited(folder, "old", 40)), 10), 10U);
    QCOMPARE(foundLarge(*opened(limited(folder, "new", 40)), 10), 10U);
  }

  void aCacheInUseIsNotRemoved() {
    const QTemporaryDir folder;
    const auto used = opened(limited(folder, "used", 30));
    keepLarge(*used, 10);
    openedAgo(limited(folder, "used", 30), 1000);
    keepLarge(*opened(limited(folder, "unused", 30)), 10);
    const auto cache = opened(limited(folder, "new", 30));
    keepLarge(*cache, 30);
    QVERIFY(cache->fill().entries >= 15 && cache->fill().entries <= 20);
    QVERIFY(!cache->fill().stopped.empty());
    QVERIFY(folderOf(limited(folder, "unused", 30)).empty());
    QCOMPARE(foundLarge(*used, 10), 10U);
    QCOMPARE(foundLarge(*opened(limited(folder, "used", 30)), 10), 10U);
  }

  void nothingIsRemovedWhereThatIsNotEnough() {
    const QTemporaryDir folder;
    const auto used = opened(limited(folder, "used", 100));
    keepLarge(*used, 15);
    keepLarge(*opened(limited(folder, "unused", 100)), 5);
    const auto cache = opened(limited(folder, "new", 12));
    keepLarge(*cache, 5);
    QCOMPARE(cache->fill().entries, 0U);
    QCOMPARE(foundLarge(*opened(limited(folder, "unused", 100)), 5), 5U);
  }

  void nothingButCachesIsRemoved() {
    const QTemporaryDir folder;
    keepLarge(*opened(limited(folder, "a", 20)), 15);
    const fs::path cache = folderOf(limited(folder, "a", 20));
    std::ofstream(cache / "mine.txt") << "kept";
    const fs::path other = cache.parent_path() / "photos";
    fs::create_directory(other);
    std::ofstream(other / "00001.records") << "kept";
    keepLarge(*opened(limited(folder, "b", 20)), 15);
    QVERIFY(!fs::exists(recordsFile(cache, 1)));
    QVERIFY(fs::exists(cache / "mine.txt"));
    QVERIFY(fs::exists(other / "00001.records"));
  }

  void aFolderThatMayOnlyBeReadIsRead() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 10);
    const fs::path root = cacheIn(folder).root;
    allow(root.parent_path(), 0755);
    for (const auto& entry : fs::directory_iterator(folderOf(cacheIn(folder)))) allow(entry, 0444);
    allow(folderOf(cacheIn(folder)), 0555);
    allow(root, 0555);
    {
      const Unprivileged user;
      const auto cache = opened(cacheIn(folder));
      QVERIFY(cache);
      QVERIFY2(cache->fill().stopped.find("no permission") != std::string::npos,
               cache->fill().stopped.c_str());
      keepAll(*cache, 10, 20);
      QCOMPARE(findAll(*cache, 0, 20), 10);
      const auto fresh = opened(cacheIn(folder, "fresh"));
      QVERIFY(fresh && !fresh->fill().stopped.empty());
      keepAll(*fresh, 0, 10);
      QCOMPARE(findAll(*fresh, 0, 10), 0);
    }
    allow(root, 0755);
    allow(folderOf(cacheIn(folder)), 0755);
  }

  void aPathThatIsNoFolderIsAnError() {
    const QTemporaryDir folder;
    DiskCacheSettings settings = cacheIn(folder);
    std::ofstream(settings.root) << "a file";
    const auto cache = DiskCache::open(settings);
    QVERIFY(!cache);
    QVERIFY2(cache.error().message.find("cannot be used") != std::string::npos &&
                 cache.error().message.find("set `path`") != std::string::npos,
             cache.error().message.c_str());
    settings.root /= "below";
    QVERIFY(!DiskCache::open(settings));
  }

  void aFileThatCannotGrowEndsTheKeepingAlone() {
    const QTemporaryDir folder;
    const auto cache = opened(cacheIn(folder));
    {
      const LargestFile limit(10 * kLarge);
      keepLarge(*cache, 30);
    }
    QCOMPARE(cache->fill().entries, 9U);
    QVERIFY(!cache->fill().stopped.empty());
    QCOMPARE(foundLarge(*cache, 30), 9U);
    const auto again = opened(cacheIn(folder));
    QCOMPARE(foundLarge(*again, 30), 9U);
    QCOMPARE(again->fill().damaged, 0U);
  }

  void aCacheThatWasRemovedBeginsAnew() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 10);
    fs::remove_all(folderOf(cacheIn(folder)));
    const auto cache = opened(cacheIn(folder));
    QCOMPARE(findAll(*cache, 0, 10), 0);
    keepAll(*cache, 0, 10);
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 10), 10);
  }
};

}  // namespace millrace

using millrace::TestCacheFolder;
MILLRACE_TEST_CASE(TestCacheFolder)
#include "tst_cache_folder.moc"
