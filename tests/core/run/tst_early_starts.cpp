// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/early_starts.h"

#include <algorithm>
#include <thread>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// An epoch of `count` samples in the source's order.
EpochIndices epochOf(std::uint32_t number, std::uint32_t count) {
  return {{number, std::uint64_t{number} * count, number}, count};
}

void fill(EpochIndices& epoch, std::uint32_t count) {
  std::vector<SampleIndex> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = {i, 0};
  epoch.setWhole(std::move(order), false);
}

/// 1 000 samples of `ns`, and one that took `times` as long.
SlowestSamples::List listOf(std::uint32_t index, std::uint64_t times, std::uint64_t ns = 100'000) {
  SlowestSamples::List list;
  list.samples = {{.index = index, .ns = times * ns}};
  list.timed = 1001;
  list.timedNs = (1000 + times) * ns;
  return list;
}

}  // namespace

class TestEarlyStarts : public QObject {
  Q_OBJECT
 private slots:
  void aSlowSampleIsTakenOnceAndBeforeItsTurn() {
    EarlyStarts early(4);
    early.learn(listOf(70, 10));
    QCOMPARE(early.lead(), std::uint64_t{0});
    EpochIndices epoch = epochOf(1, 100);
    fill(epoch, 100);
    early.plan(epoch);
    QCOMPARE(early.lead(), std::uint64_t{60});  // 10 times the mean, 4 workers, half as many again
    QVERIFY(!early.take(109));
    QCOMPARE(early.take(110).value(), std::uint64_t{170});
    QVERIFY(!early.take(111));
    for (std::uint64_t ticket = 100; ticket < 200; ++ticket)
      QCOMPARE(early.claim(ticket), ticket != 170);
  }

  void itsTurnMayComeFirst() {
    EarlyStarts early(4);
    early.learn(listOf(3, 10));
    EpochIndices epoch = epochOf(1, 100);
    fill(epoch, 100);
    early.plan(epoch);
    for (std::uint64_t ticket = 100; ticket < 104; ++ticket) QVERIFY(early.claim(ticket));
    QVERIFY(!early.take(104));
  }

  void whatIsNotMuchSlowerKeepsItsTurn() {
    EarlyStarts early(4);
    early.learn(listOf(3, 7));
    early.learn(listOf(4, 100, 1000));  // cheap samples
    early.learn({});
    EpochIndices epoch = epochOf(1, 100);
    fill(epoch, 100);
    early.plan(epoch);
    QCOMPARE(early.lead(), std::uint64_t{0});
    QVERIFY(!early.take(199));
  }

  void nothingIsStartedTooEarly() {
    EarlyStarts early(64);
    early.learn(listOf(3, 100'000));
    EpochIndices large = epochOf(1, 20'000);
    fill(large, 20'000);
    early.plan(large);
    QCOMPARE(early.lead(), EarlyStarts::kMostLead);
    EpochIndices small = epochOf(9, 100);
    fill(small, 100);
    early.plan(small);
    QCOMPARE(early.lead(), std::uint64_t{200});
  }

  void noMoreThanAThousandAreRemembered() {
    EarlyStarts early(1);
    for (std::uint32_t i = 0; i <= 1001; ++i) early.learn(listOf(i, 10));
    EpochIndices epoch = epochOf(1, 2000);
    fill(epoch, 2000);
    early.plan(epoch);
    QCOMPARE(early.take(5000).value(), std::uint64_t{2000 + 1001});
    QVERIFY(!early.take(5000));
  }

  void threadsMakeEachTicketOnce() {
    EarlyStarts early(3);
    for (std::uint32_t i = 0; i < 20; ++i) early.learn(listOf(40 * i + 7, 20));
    constexpr std::uint32_t kCount = 1000;
    EpochIndices epoch = epochOf(0, kCount);
    fill(epoch, kCount);
    early.plan(epoch);
    std::vector<std::atomic<int>> made(kCount);
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> ahead{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (std::uint64_t ticket = next++; ticket < kCount; ticket = next++) {
          if (const auto taken = early.take(ticket)) {
            ++made[*taken];
            ahead += *taken > ticket ? 1 : 0;
          }
          if (early.claim(ticket)) ++made[ticket];
        }
      });
    for (std::thread& thread : threads) thread.join();
    QVERIFY(std::ranges::all_of(made, [](const auto& times) { return times == 1; }));
    QVERIFY(ahead > 0);
  }
};

}  // namespace millrace

using millrace::TestEarlyStarts;
MILLRACE_TEST_CASE(TestEarlyStarts)
#include "tst_early_starts.moc"
