// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/near_pairs.h"

#include <bit>
#include <random>
#include <set>
#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
constexpr std::uint64_t kEnough = 1'000'000'000;

SpilledList<std::uint64_t> listOf(const std::vector<std::uint64_t>& hashes) {
  SpilledList<std::uint64_t> list;
  for (const std::uint64_t hash : hashes) list.append(hash);
  return list;
}

std::uint64_t atNoCost(std::uint32_t, std::uint32_t) { return 0; }

Pairs found(const std::vector<std::uint64_t>& hashes, int distance,
            std::size_t atOnce = kNearAtOnce) {
  Pairs pairs;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    pairs.emplace(std::min(a, b), std::max(a, b));
    return std::uint64_t{0};
  };
  if (!findNearPairs(listOf(hashes), distance, kEnough, add, atOnce)) pairs.clear();
  return pairs;
}

Pairs expected(const std::vector<std::uint64_t>& hashes, int distance) {
  Pairs pairs;
  for (std::uint32_t a = 0; a < hashes.size(); ++a)
    for (std::uint32_t b = a + 1; b < hashes.size(); ++b)
      if (std::popcount(hashes[a] ^ hashes[b]) <= distance) pairs.emplace(a, b);
  return pairs;
}

/// `count` random hashes, and for each some with 1 to 9 other bits.
std::vector<std::uint64_t> withNeighbours(int count) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t hash = random();
    hashes.push_back(hash);
    for (int bits = 1; bits < 10; ++bits) {
      std::uint64_t other = hash;
      for (int k = 0; k < bits; ++k) other ^= std::uint64_t{1} << (random() % 64);
      hashes.push_back(other);
    }
  }
  return hashes;
}

}  // namespace

class TestNearPairs : public QObject {
  Q_OBJECT
 private slots:
  void allPairsWithinTheDistanceAreFound() {
    const std::vector<std::uint64_t> hashes = withNeighbours(150);
    for (int distance = 0; distance <= 7; ++distance)
      QVERIFY2(found(hashes, distance) == expected(hashes, distance),
               qPrintable(QString::number(distance)));
    QVERIFY(expected(hashes, 3).size() > 300);
  }

  void hashesThatShareMostBitsAreFoundToo() {
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 1500; ++i) hashes.push_back(random() & 0x0000'0fff'0000'0f0fULL);
    QVERIFY(found(hashes, 3) == expected(hashes, 3));
  }

  void hashesThatDoNotFitIntoMemoryAreDividedOnDisk() {
    std::vector<std::uint64_t> hashes = withNeighbours(150);
    // Some that share most bits are divided several times.
    std::mt19937_64 random(5);
    for (int i = 0; i < 300; ++i) hashes.push_back(random() & 0x0000'00ff'0000'000fULL);
    for (const std::size_t atOnce : {3U, 50U, 700U})
      QVERIFY(found(hashes, 3, atOnce) == expected(hashes, 3));
  }

  void theWorkForManyDifferentHashesIsNotQuadratic() {
    std::mt19937_64 random(11);
    std::vector<std::uint64_t> hashes(200'000);
    // A third of the bits is the same everywhere, as in pictures with an empty border.
    for (std::uint64_t& hash : hashes) hash = random() & 0x00ff'ffff'ffff'f000ULL;
    // All pairs would be 20 000 million comparisons.
    QVERIFY(findNearPairs(listOf(hashes), 3, 400'000'000, atNoCost));
  }

  void aSearchThatCostsTooMuchEndsEarly() {
    const std::vector<std::uint64_t> hashes(5000, 42);
    QVERIFY(!findNearPairs(listOf(hashes), 3, 1000, atNoCost));
  }

  void whatTheCallerDoesWithPairsCounts() {
    const std::vector<std::uint64_t> hashes(40, 42);  // 780 pairs
    std::uint64_t calls = 0;
    const auto dear = [&](std::uint32_t, std::uint32_t) {
      ++calls;
      return std::uint64_t{100};
    };
    QVERIFY(!findNearPairs(listOf(hashes), 3, 1100, dear));
    QVERIFY2(calls <= 11, std::to_string(calls).c_str());
    QVERIFY(findNearPairs(listOf(hashes), 3, 80'000, dear));
  }

  void fewerThanTwoHashesHaveNoPairs() {
    QVERIFY(found({}, 3).empty());
    QVERIFY(found({1}, 3).empty());
  }
};

}  // namespace millrace

using millrace::TestNearPairs;
MILLRACE_TEST_CASE(TestNearPairs)
#include "tst_near_pairs.moc"
