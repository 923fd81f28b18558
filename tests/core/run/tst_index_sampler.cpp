// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/index_sampler.h"

#include <set>
#include <thread>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::planOf;

class TestIndexSampler : public QObject {
  Q_OBJECT

  static Result<Plan> plan(int samples, int batch, const std::string& more = "",
                           const std::string& batchMore = "") {
    return planOf("synthetic {\"count\": " + std::to_string(samples) + "}\n" + more +
                  "\nbatch {\"size\": " + std::to_string(batch) + batchMore + "}\ndrain");
  }
  static std::unique_ptr<IndexSampler> sampler(const Plan& plan, const OrderLimits& limits) {
    return IndexSampler::make(plan, limits, false).take();
  }
  /// Takes single tickets until the end; returns (epoch, position) of each.
  static std::vector<std::pair<std::uint32_t, std::uint64_t>> drain(IndexSampler& sampler,
                                                                    std::size_t most = 10000) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> all;
    std::shared_ptr<const EpochIndices> cached;
    while (all.size() < most) {
      const std::uint64_t ticket = sampler.takeSamples(1);
      const EpochIndices* epoch = sampler.epochOfTicket(ticket, cached);
      if (epoch == nullptr) break;
      all.emplace_back(epoch->epoch, ticket - epoch->firstTicket);
    }
    return all;
  }

 private slots:
  void epochFollowsEpochUntilTheLimit() {
    const auto made = plan(5, 2);
    VERIFY_OK(made);
    const auto all = sampler(*made, {0, 0, std::nullopt, 3});
    const auto seen = drain(*all);
    QCOMPARE(seen.size(), std::size_t{15});
    for (std::size_t i = 0; i < 15; ++i) {
      QCOMPARE(seen[i].first, static_cast<std::uint32_t>(i / 5));
      QCOMPARE(seen[i].second, i % 5);
    }
    QCOMPARE(all->end().value(), 9U);
  }

  void aLimitOfBatchesEndsWithinAnEpoch() {
    const auto made = plan(5, 2);
    // Three batches in an epoch, of 2, 2 and 1 samples: the fifth batch ends at sample 4 of
    // epoch 1.
    const auto all = sampler(*made, {0, 0, 5, std::nullopt});
    QCOMPARE(drain(*all).size(), std::size_t{9});
    QCOMPARE(all->end().value(), 5U);
  }

  void aStartSkipsBatchesAndLimitsCountFromThere() {
    const auto made = plan(5, 2);
    const auto all = sampler(*made, {3, 1, 2, std::nullopt});
    QCOMPARE(all->firstBatch(), 1U);
    const auto seen = drain(*all);
    QCOMPARE(seen.size(), std::size_t{3});
    QCOMPARE(seen.front().first, 3U);
    QCOMPARE(seen.front().second, 2U);
  }

  void dropLastLeavesOutTheRestOfAnEpoch() {
    const auto made = plan(5, 2, "", ", \"drop_last\": true");
    const auto all = sampler(*made, {0, 0, std::nullopt, 2});
    QCOMPARE(drain(*all).size(), std::size_t{8});
    QCOMPARE(all->samplesPerEpoch(), 4U);
  }

  void aStartBehindTheEpochIsRefusedWithItsSize() {
    const auto made = plan(5, 2);
    const auto refused = IndexSampler::make(*made, {0, 3, std::nullopt, std::nullopt}, false);
    QVERIFY(!refused);
    QCOMPARE(refused.error().message,
             std::string("epoch 0 has 3 batches, numbered from 0; it cannot start at batch 3"));
  }

  void anEpochWithoutAFullBatchIsRefused() {
    auto made = plan(5, 2, "", ", \"drop_last\": true");
    made->batch.size = 8;
    const auto refused = IndexSampler::make(*made, {}, false);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("fewer than one batch of 8") != std::string::npos);
  }

  void everyEpochHoldsEverySampleOnceInAnotherOrder() {
    const auto made = plan(50, 7, "shuffle");
    const auto all = sampler(*made, {0, 0, std::nullopt, 2});
    std::shared_ptr<const EpochIndices> cached;
    std::vector<std::vector<std::uint32_t>> orders(2);
    for (std::uint64_t t = 0; t < 100; ++t) {
      const EpochIndices* epoch = all->epochOfTicket(t, cached);
      QVERIFY(epoch != nullptr);
      orders[epoch->epoch].push_back(epoch->at(t - epoch->firstTicket).index);
    }
    QVERIFY(orders[0] != orders[1]);
    for (const auto& order : orders)
      QCOMPARE(std::set<std::uint32_t>(order.begin(), order.end()).size(), std::size_t{50});
  }

  void tinyEpochsWithManyOutstandingTicketsAreFoundAgain() {
    const auto made = plan(1, 4, "workers {\"count\": 3}");
    const auto all = sampler(*made, {});
    // Three threads have claimed as much as they may; the first looks up its tickets last.
    const std::uint64_t first = all->takeSamples(IndexSampler::kMostClaimed);
    const std::uint64_t last = first + 3 * IndexSampler::kMostClaimed;
    std::shared_ptr<const EpochIndices> ahead;
    QCOMPARE(all->epochOfTicket(last, ahead)->epoch, static_cast<std::uint32_t>(last));
    std::shared_ptr<const EpochIndices> behind;
    for (std::uint64_t t = first; t < first + IndexSampler::kMostClaimed; ++t)
      QCOMPARE(all->epochOfTicket(t, behind)->epoch, static_cast<std::uint32_t>(t));
  }

  void aMillionTinyEpochsAreQuick() {
    const auto made = plan(1, 1);
    const auto all = sampler(*made, {0, 0, 1000000, std::nullopt});
    QCOMPARE(drain(*all, 2000000).size(), std::size_t{1000000});
  }

  void stoppingCompletesBegunBatchesOnly() {
    const auto made = plan(5, 2);
    // Samples taken before the stop, and the batches that have been begun by then.
    for (const auto& [taken, begun] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {6, 4}, {10, 6}}) {
      const auto all = sampler(*made, {});
      std::shared_ptr<const EpochIndices> cached;
      for (std::uint64_t t = 0; t < taken; ++t)
        QVERIFY(all->epochOfTicket(all->takeSamples(1), cached) != nullptr);
      QCOMPARE(all->stop(), begun);
      std::size_t total = taken + drain(*all).size();
      const std::size_t wanted[] = {0, 2, 4, 5, 7, 9, 10};
      QCOMPARE(total, wanted[begun]);
      QCOMPARE(all->end().value(), begun);
    }
  }

  void stoppingWithTicketsBehindTheKnownEpochsRefusesThose() {
    const auto made = plan(5, 2);
    const auto all = sampler(*made, {});
    const std::uint64_t claimed = all->takeSamples(64);
    QCOMPARE(all->stop(), 3U);
    std::shared_ptr<const EpochIndices> cached;
    QVERIFY(all->epochOfTicket(claimed + 4, cached) != nullptr);
    QVERIFY(all->epochOfTicket(claimed + 5, cached) == nullptr);
  }

  void stoppingWholeBatchesLetsTakenOnesBeMade() {
    const auto made = plan(5, 2);
    const auto all = sampler(*made, {});
    for (int i = 0; i < 4; ++i) (void)all->takeBatch();
    QCOMPARE(all->stop(), 4U);
    std::shared_ptr<const EpochIndices> cached;
    QCOMPARE(all->epochOfBatch(3, cached)->epoch, 1U);
    QVERIFY(all->epochOfBatch(4, cached) == nullptr);
  }

  void aStopAfterTheLimitChangesNothing() {
    const auto made = plan(5, 2);
    const auto all = sampler(*made, {0, 0, 2, std::nullopt});
    (void)drain(*all);
    QCOMPARE(all->stop(), 2U);
  }

  void epochsAreComputedAheadUntilTheEndOfTheRun() {
    const auto made = plan(5, 2);
    VERIFY_OK(made);
    OrderLimits limits;
    limits.epochs = 4;
    auto sampler = IndexSampler::make(*made, limits, false);
    VERIFY_OK(sampler);
    std::vector<std::uint32_t> computed;
    (*sampler)->onEpoch([&](const EpochIndices& epoch) { computed.push_back(epoch.epoch); });
    (*sampler)->computeUntil(4);
    QVERIFY(computed.empty());
    (*sampler)->computeUntil(11);
    (*sampler)->computeUntil(11);
    QVERIFY(computed == std::vector<std::uint32_t>({1, 2}));
    (*sampler)->computeUntil(1000);
    QVERIFY(computed == std::vector<std::uint32_t>({1, 2, 3}));
    // The first epoch can still be used.
    std::shared_ptr<const EpochIndices> cached;
    QCOMPARE((*sampler)->epochOfTicket(0, cached)->epoch, 0U);
  }

  void manyThreadsTakeEverySampleOnce() {
    const auto made = plan(3, 2, "workers {\"count\": 4}");
    // As many tickets as four threads may have claimed. In a run the ring keeps threads from
    // running further ahead of an interrupted one; here nothing does.
    const auto all = sampler(*made, {0, 0, std::nullopt, 80});
    std::vector<std::atomic<int>> taken(240);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        std::shared_ptr<const EpochIndices> cached;
        for (;;) {
          const std::uint64_t from = all->takeSamples(5);
          for (std::uint64_t t = from; t < from + 5; ++t)
            if (all->epochOfTicket(t, cached) != nullptr) ++taken[t];
          if (from >= taken.size()) return;
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : taken) QCOMPARE(count.load(), 1);
  }
};

}  // namespace millrace

using millrace::TestIndexSampler;
MILLRACE_TEST_CASE(TestIndexSampler)
#include "tst_index_sampler.moc"
