// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/core/nodes/open_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::shared_ptr<SampleCache> makeCache(std::int64_t limit) {
  auto cache = builtinCatalog().find("memory_cache")->cache({{"limit", limit}}, {});
  return cache ? cache.take() : nullptr;
}

/// A sample whose content follows from its index: bytes of some length, and a label.
void fill(Sample& sample, std::uint32_t index, std::size_t bytes) {
  sample.reset({0, index, 0}, 2);
  const TensorView content = sample.replaceBytes(0, bytes);
  std::memset(content.data, static_cast<int>(index % 251), bytes);
  *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = index;
}

bool holds(const Sample& sample, std::uint32_t index, std::size_t bytes) {
  const TensorView& content = sample[0];
  if (content.bytes != bytes || *sample[1].as<std::int64_t>() != index) return false;
  for (const std::byte byte : content.content())
    if (byte != static_cast<std::byte>(index % 251)) return false;
  return true;
}

constexpr std::size_t lengthOf(std::uint32_t index) { return 1 + index * 37 % 3000; }

}  // namespace

class TestMemoryCache : public QObject {
  Q_OBJECT
 private slots:
  void lendsWhatItKeptByTheSourcesIndex() {
    const auto cache = makeCache(1 << 24);
    Sample sample;
    // Indices in three pages of the table, including the last one.
    for (const std::uint32_t index : {0U, 70000U, 4294967294U}) {
      fill(sample, index, 100);
      cache->store(sample);
    }
    for (const std::uint32_t index : {0U, 70000U, 4294967294U}) {
      sample.reset({3, index, 5}, 2);  // a different epoch and round use the same entry
      QVERIFY(cache->load(sample));
      QVERIFY(holds(sample, index, 100));
      QCOMPARE(reinterpret_cast<std::uintptr_t>(sample[0].data) % 64, 0U);
    }
    sample.reset({0, 1, 0}, 2);
    QVERIFY(!cache->load(sample));
    const SampleCache::Fill fillNow = cache->fill();
    QCOMPARE(fillNow.entries, 3U);
    QCOMPARE(fillNow.hits, 3U);
    QCOMPARE(fillNow.misses, 1U);
  }

  void changingALoadedSampleLeavesTheKeptOneAlone() {
    const auto cache = makeCache(1 << 24);
    Sample sample;
    fill(sample, 9, 50);
    cache->store(sample);
    sample.reset({0, 9, 0}, 2);
    QVERIFY(cache->load(sample));
    std::memset(sample.writable(0).data, 1, 50);
    sample.reset({1, 9, 0}, 2);
    QVERIFY(cache->load(sample));
    QVERIFY(holds(sample, 9, 50));
  }

  void stopsKeepingAtItsLimit() {
    const auto cache = makeCache(1 << 20);
    Sample sample;
    for (std::uint32_t index = 0; index < 100; ++index) {
      fill(sample, index, 50000);
      cache->store(sample);
    }
    const SampleCache::Fill fillNow = cache->fill();
    QVERIFY(fillNow.entries >= 20 && fillNow.bytes <= (1U << 20U));
    for (std::uint32_t index = 0; index < 100; ++index) {
      sample.reset({1, index, 0}, 2);
      QCOMPARE(cache->load(sample), index < fillNow.entries);
    }
  }

  void servesManyThreadsAtOnce() {
    const auto cache = makeCache(1 << 26);
    constexpr std::uint32_t kSamples = 5000;
    std::atomic<int> wrong{0};
    const auto work = [&](std::uint32_t first) {
      Sample sample;
      for (std::uint32_t n = 0; n < 3 * kSamples; ++n) {
        const std::uint32_t index = (first + n) % kSamples;
        sample.reset({0, index, 0}, 2);
        if (!cache->load(sample)) {
          fill(sample, index, lengthOf(index));
          cache->store(sample);
        } else if (!holds(sample, index, lengthOf(index))) {
          ++wrong;
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) threads.emplace_back(work, t * 100);
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(cache->fill().entries, kSamples);
    QVERIFY(cache->fill().hits >= std::uint64_t{4} * 2 * kSamples);
  }
};

}  // namespace millrace

using millrace::TestMemoryCache;
MILLRACE_TEST_CASE(TestMemoryCache)
#include "tst_memory_cache.moc"
