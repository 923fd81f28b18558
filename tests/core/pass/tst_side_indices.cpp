// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/side_indices.h"

#include <atomic>
#include <thread>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr SideIndexUse kMade{0, true, false};

/// Bytes that are derived from the key.
std::vector<std::byte> madeFor(PictureKey key, std::size_t size) {
  return std::vector<std::byte>(size, std::byte(key.sample * 3 + key.field));
}

std::vector<std::byte> loaded(SideIndices& indices, PictureKey key) {
  std::vector<std::byte> bytes(7);
  indices.load(key, bytes);
  return bytes;
}

}  // namespace

class TestSideIndices : public QObject {
  Q_OBJECT
 private slots:
  void keepsOneForEachPictureOfASample() {
    SideIndices indices(1 << 20);
    const std::vector<PictureKey> keys{{0, 0}, {0, 1}, {64, 0}, {4294967294U, 3}};
    for (const PictureKey key : keys) indices.keep(key, madeFor(key, 100 + key.field), kMade);
    for (const PictureKey key : keys)
      QVERIFY(loaded(indices, key) == madeFor(key, 100 + key.field));
    QVERIFY(loaded(indices, {1, 0}).empty());
    QCOMPARE(indices.fill().entries, 4U);
  }

  void keepsWhatChangedAlone() {
    SideIndices indices(1 << 20);
    indices.keep({5, 0}, madeFor({5, 0}, 50), kMade);
    indices.keep({5, 0}, madeFor({6, 0}, 60), {3, false, false});
    QVERIFY(loaded(indices, {5, 0}) == madeFor({5, 0}, 50));
    indices.keep({5, 0}, madeFor({6, 0}, 60), {3, true, false});
    QVERIFY(loaded(indices, {5, 0}) == madeFor({6, 0}, 60));
    indices.keep({5, 0}, madeFor({7, 0}, 40), {0, true, true});
    QVERIFY(loaded(indices, {5, 0}) == madeFor({7, 0}, 40));
    const SampleCache::Fill fill = indices.fill();
    QCOMPARE(fill.entries, 1U);
    QCOMPARE(fill.hits, 2U);
    QCOMPARE(fill.misses, 2U);
    QCOMPARE(fill.damaged, 1U);
    QCOMPARE(fill.bytes, 120U);
  }

  void atItsLimitItKeepsWhatItHas() {
    SideIndices indices(1000);
    for (std::uint32_t i = 0; i < 50; ++i) indices.keep({i, 0}, madeFor({i, 0}, 120), kMade);
    const SampleCache::Fill fill = indices.fill();
    QCOMPARE(fill.entries, 5U);
    QCOMPARE(fill.bytes, 1000U);
    QVERIFY(!fill.stopped.empty());
    for (std::uint32_t i = 0; i < 50; ++i) QCOMPARE(loaded(indices, {i, 0}).empty(), i >= 5);
    indices.keep({2, 0}, madeFor({2, 0}, 121), kMade);
    QCOMPARE(loaded(indices, {2, 0}).size(), std::size_t{120});
    indices.keep({2, 0}, madeFor({2, 0}, 20), kMade);
    QCOMPARE(indices.fill().bytes, 900U);
  }

  void servesManyThreadsAtOnce() {
    SideIndices indices(1 << 26);
    constexpr std::uint32_t kPictures = 3000;
    std::atomic<int> wrong{0};
    const auto work = [&](std::uint32_t first) {
      std::vector<std::byte> bytes;
      for (std::uint32_t n = 0; n < 3 * kPictures; ++n) {
        const PictureKey key{(first + n) % kPictures, 0};
        indices.load(key, bytes);
        for (const std::byte byte : bytes)
          if (byte != madeFor(key, 1)[0]) ++wrong;
        indices.keep(key, madeFor(key, 20 + n % 200), kMade);
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) threads.emplace_back(work, t * 700);
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < kPictures; ++i) bytes += 80 + loaded(indices, {i, 0}).size();
    QCOMPARE(indices.fill().entries, kPictures);
    QCOMPARE(indices.fill().bytes, bytes);
  }
};

}  // namespace millrace

using millrace::TestSideIndices;
MILLRACE_TEST_CASE(TestSideIndices)
#include "tst_side_indices.moc"
