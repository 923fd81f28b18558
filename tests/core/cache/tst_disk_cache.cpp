// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Samples are stored, found again, shared and found damaged. Folders that are full, foreign or not
// writable are in tst_cache_folder.cpp.
#include "core/cache/disk_cache.h"

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/core/cache/kept_samples.h"
#include "tests/support/hand_clock.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::cacheIn;
using tests::find;
using tests::findAll;
using tests::folderOf;
using tests::Found;
using tests::HandClock;
using tests::keep;
using tests::keepAll;
using tests::KeptSample;
using tests::opened;

namespace {

namespace fs = std::filesystem;

void flipBit(const fs::path& file, std::uint64_t bit) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = stream.get() ^ (1 << (bit % 8));
  stream.seekp(static_cast<std::streamoff>(bit / 8));
  stream.put(static_cast<char>(byte));
}

void shorten(const fs::path& file, std::uintmax_t by) {
  fs::resize_file(file, fs::file_size(file) - by);
}

}  // namespace

class TestDiskCache : public QObject {
  Q_OBJECT
 private slots:
  void isThereForALaterOpening() {
    const QTemporaryDir folder;
    {
      const auto cache = opened(cacheIn(folder));
      QVERIFY(cache);
      QCOMPARE(findAll(*cache, 0, 50), 0);
      keepAll(*cache, 0, 50);
      QCOMPARE(findAll(*cache, 0, 50), 50);
      QCOMPARE(cache->fill().hits, 50U);
      QCOMPARE(cache->fill().misses, 50U);
    }
    const auto cache = opened(cacheIn(folder));
    QCOMPARE(cache->fill().entries, 50U);
    QCOMPARE(findAll(*cache, 0, 60), 50);
    QCOMPARE(cache->fill().damaged, 0U);
    QCOMPARE(cache->fill().stopped, std::string());
    // Nothing was added, so there is no new segment.
    QVERIFY(!fs::exists(recordsFile(folderOf(cacheIn(folder)), 2)));
    keepAll(*cache, 50, 60);
    QCOMPARE(findAll(*cache, 0, 60), 60);
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 60), 60);
  }

  void anotherKeyIsAnotherCache() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder, "resize 32")), 0, 10);
    QCOMPARE(findAll(*opened(cacheIn(folder, "resize 64")), 0, 10), 0);
    QCOMPARE(findAll(*opened(cacheIn(folder, "resize 32")), 0, 10), 10);
  }

  void aSampleIsKeptOnce() {
    const QTemporaryDir folder;
    const auto cache = opened(cacheIn(folder));
    keep(*cache, KeptSample(7));
    const auto bytes = fs::file_size(recordsFile(folderOf(cacheIn(folder)), 1));
    keep(*cache, KeptSample(7));
    QCOMPARE(fs::file_size(recordsFile(folderOf(cacheIn(folder)), 1)), bytes);
    QCOMPARE(cache->fill().entries, 1U);
    QCOMPARE(cache->fill().bytes, std::uint64_t{bytes});
  }

  void aSampleMayHaveRoomForMoreFieldsThanTheStream() {
    const QTemporaryDir folder;
    const auto cache = opened(cacheIn(folder));
    Sample sample;
    KeptSample(5).fill(sample, 6);
    cache->store(sample);
    QVERIFY(find(*cache, KeptSample(5)) == Found::Right);
    sample.reset({0, 5, 0}, 9);
    QVERIFY(cache->load(sample));
    QVERIFY(KeptSample(5).isIn(sample));
  }

  void changingALoadedSampleLeavesTheKeptOneAlone() {
    const QTemporaryDir folder;
    const auto cache = opened(cacheIn(folder));
    keep(*cache, KeptSample(9));
    Sample sample;
    sample.reset({0, 9, 0}, 2);
    QVERIFY(cache->load(sample));
    std::memset(sample.writable(0).data, 1, sample[0].bytes);
    QVERIFY(find(*cache, KeptSample(9)) == Found::Right);
  }

  void whatWasLentIsKeptByAnotherCache() {
    const QTemporaryDir folder;
    const auto first = opened(cacheIn(folder, "first"));
    const auto second = opened(cacheIn(folder, "second"));
    keep(*first, KeptSample(9));
    Sample sample;
    sample.reset({0, 9, 0}, 2);
    QVERIFY(!second->load(sample) && first->load(sample));
    second->store(sample);
    QVERIFY(find(*second, KeptSample(9)) == Found::Right);
  }

  void aTornEndOfTheIndexIsLeftOut() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 20);
    shorten(indexFile(folderOf(cacheIn(folder)), 1), 5);
    const auto cache = opened(cacheIn(folder));
    QCOMPARE(findAll(*cache, 0, 20), 19);
    QVERIFY(find(*cache, KeptSample(19)) == Found::Nothing);
    keepAll(*cache, 0, 20);
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 20), 20);
  }

  void recordsThatAreCutOffAreMadeAnew() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 20);
    shorten(recordsFile(folderOf(cacheIn(folder)), 1), 1);
    {
      const auto cache = opened(cacheIn(folder));
      QCOMPARE(findAll(*cache, 0, 20), 19);
      QCOMPARE(cache->fill().damaged, 1U);
      QCOMPARE(cache->fill().entries, 19U);
      keepAll(*cache, 0, 20);
      QCOMPARE(findAll(*cache, 0, 20), 20);
    }
    const auto again = opened(cacheIn(folder));
    QCOMPARE(findAll(*again, 0, 20), 20);
    QCOMPARE(again->fill().damaged, 0U);
  }

  void aFlippedBitCostsOneSampleOnce() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 1, 6);
    const fs::path records = recordsFile(folderOf(cacheIn(folder)), 1);
    flipBit(records, 8 * 200 + 3);  // in the content of the first sample
    {
      const auto cache = opened(cacheIn(folder));
      QVERIFY(find(*cache, KeptSample(1)) == Found::Nothing);
      QCOMPARE(findAll(*cache, 2, 6), 4);
      QCOMPARE(cache->fill().damaged, 1U);
      keep(*cache, KeptSample(1));
      QVERIFY(find(*cache, KeptSample(1)) == Found::Right);
    }
    const auto again = opened(cacheIn(folder));
    QCOMPARE(findAll(*again, 1, 6), 5);
    QCOMPARE(again->fill().damaged, 0U);
  }

  void aFlippedBitInTheIndexLosesItsSample() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 5);
    const fs::path index = indexFile(folderOf(cacheIn(folder)), 1);
    for (std::uint64_t bit = 0; bit < 128; bit += 7) {
      flipBit(index, 2 * 128 + bit);
      const auto cache = opened(cacheIn(folder));
      QCOMPARE(findAll(*cache, 0, 5), 4);
      QCOMPARE(cache->fill().entries, 4U);
      flipBit(index, 2 * 128 + bit);
    }
  }

  void anyBytesAsAnIndexDoNoHarm() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 5);
    const fs::path cache = folderOf(cacheIn(folder));
    std::ofstream(indexFile(cache, 2)) << std::string(1000, 'x');
    std::ofstream(indexFile(cache, 4095)) << "y";
    std::ofstream(recordsFile(cache, 4095)) << "z";
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 5), 5);
  }

  void whatAKilledProcessLeftIsPassedOver() {
    const QTemporaryDir folder;
    keepAll(*opened(cacheIn(folder)), 0, 5);
    // Bytes that no entry refers to, and a segment that was not listed yet.
    std::ofstream(recordsFile(folderOf(cacheIn(folder)), 1), std::ios::app) << "half a record";
    std::ofstream(recordsFile(folderOf(cacheIn(folder)), 2)) << "half a record";
    const auto cache = opened(cacheIn(folder));
    keepAll(*cache, 5, 10);
    QVERIFY(fs::exists(indexFile(folderOf(cacheIn(folder)), 3)));
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 10), 10);
  }

  void whatAnotherKeepsMeanwhileIsFoundAfterAWhile() {
    const QTemporaryDir folder;
    HandClock clock;
    const auto mine = opened(cacheIn(folder), clock);
    const auto other = opened(cacheIn(folder));
    keepAll(*other, 0, 10);
    QCOMPARE(findAll(*mine, 0, 10), 0);
    clock.pass(1);
    QCOMPARE(findAll(*mine, 0, 10), 10);
    keepAll(*other, 10, 20);
    QCOMPARE(findAll(*mine, 0, 20), 10);
    clock.pass(1);
    QCOMPARE(findAll(*mine, 0, 20), 20);
    QCOMPARE(mine->fill().entries, 20U);
  }

  void twoWritersAtOnceKeepBothsSamples() {
    const QTemporaryDir folder;
    DiskCacheSettings settings = cacheIn(folder);
    settings.rescanInterval = Nanoseconds(0);
    std::atomic<int> wrong{0};
    const auto work = [&](std::uint32_t first) {
      const auto cache = opened(settings);
      for (std::uint32_t n = 0; n < 400; ++n) {
        const KeptSample kept((first + n * 7) % 400);
        const Found found = find(*cache, kept);
        if (found == Found::Wrong) ++wrong;
        if (found == Found::Nothing) keep(*cache, kept);
      }
    };
    std::thread one(work, 0);
    std::thread two(work, 200);
    one.join();
    two.join();
    QCOMPARE(wrong.load(), 0);
    const auto cache = opened(settings);
    QCOMPARE(findAll(*cache, 0, 400), 400);
    QCOMPARE(cache->fill().damaged, 0U);
  }

  void servesManyThreadsAtOnce() {
    const QTemporaryDir folder;
    const auto cache = opened(cacheIn(folder));
    std::atomic<int> wrong{0};
    const auto work = [&](std::uint32_t first) {
      for (std::uint32_t n = 0; n < 3000; ++n) {
        const KeptSample kept((first + n) % 1000);
        const Found found = find(*cache, kept);
        if (found == Found::Wrong) ++wrong;
        if (found == Found::Nothing) keep(*cache, kept);
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) threads.emplace_back(work, t * 100);
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    // A thread that waits too long while another makes room does not store its sample.
    keepAll(*cache, 0, 1000);
    QCOMPARE(cache->fill().entries, 1000U);
    QCOMPARE(findAll(*opened(cacheIn(folder)), 0, 1000), 1000);
  }
};

}  // namespace millrace

using millrace::TestDiskCache;
MILLRACE_TEST_CASE(TestDiskCache)
#include "tst_disk_cache.moc"
