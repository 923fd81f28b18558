// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// An epoch that begins before its source is scanned has the same order as one that begins after.
#include "core/run/growing_epoch.h"

#include <array>
#include <mutex>
#include <set>
#include <thread>

#include "core/run/failure_budget.h"
#include "core/run/index_sampler.h"
#include "tests/core/run/run_support.h"
#include "tests/core/run/still_listed.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::planOf;
using tests::StillListed;

namespace {

struct Drawn {
  std::uint32_t epoch;
  std::uint32_t index;
  std::size_t rows;  ///< rows of its batch
  bool operator==(const Drawn&) const = default;
};

std::vector<Drawn> drained(IndexSampler& sampler) {
  std::vector<Drawn> all;
  std::shared_ptr<const EpochIndices> cached;
  for (;;) {
    const std::uint64_t ticket = sampler.takeSamples(1);
    const EpochIndices* epoch = sampler.epochOfTicket(ticket, cached);
    if (epoch == nullptr) return all;
    const std::size_t position = ticket - epoch->firstTicket;
    all.push_back(
        {epoch->epoch, epoch->at(position).index, epoch->rowsOf(position / epoch->batchSize)});
  }
}

}  // namespace

class TestGrowingEpoch : public QObject {
  Q_OBJECT

  static Plan plan(int samples, const std::string& order, const std::string& batch) {
    auto made = planOf("synthetic {\"count\": " + std::to_string(samples) + "}\n" + order +
                       "\nbatch {" + batch + "}\ndrain");
    if (!made) qWarning("%s", made.error().message.c_str());
    return made.take();
  }
  static std::shared_ptr<StillListed> lists(Plan& plan) {
    auto source = std::make_shared<StillListed>(plan.pipeline.source);
    plan.pipeline.source = source;
    return source;
  }

 private slots:
  void itIsTheEpochOfAListedSource_data() {
    QTest::addColumn<int>("samples");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("batch");
    const QString window = "shuffle {\"mode\": \"window\", \"window\": 700}";
    QTest::newRow("as it comes") << 5000 << "" << "\"size\": 64";
    QTest::newRow("window") << 5000 << window << "\"size\": 64";
    QTest::newRow("window wider than the data") << 300 << window << "\"size\": 64";
    QTest::newRow("first of a window")
        << 5000 << window + "\ntake {\"count\": 1500, \"skip\": 10}" << "\"size\": 64";
    QTest::newRow("window of the first")
        << 5000 << "take {\"count\": 1500, \"skip\": 1030}\n" + window << "\"size\": 64";
    QTest::newRow("drop last") << 5000 << window << "\"size\": 64, \"drop_last\": true";
    QTest::newRow("whole batches") << 4096 << "" << "\"size\": 64";
    QTest::newRow("larger than a chunk") << 70000 << "" << "\"size\": 1000";
    QTest::newRow("needs all") << 5000 << "shuffle" << "\"size\": 64";
    QTest::newRow("behind what needs all")
        << 5000 << "shard {\"rank\": 1, \"world\": 3}\n" + window << "\"size\": 64";
  }
  void itIsTheEpochOfAListedSource() {
    QFETCH(int, samples);
    QFETCH(QString, order);
    QFETCH(QString, batch);
    Plan listed = plan(samples, order.toStdString(), batch.toStdString());
    Plan growing = listed;
    lists(growing);
    const OrderLimits limits{0, 0, std::nullopt, 3};
    const auto whole = IndexSampler::make(listed, limits, false);
    const auto bit = IndexSampler::make(growing, limits, false);
    VERIFY_OK(whole);
    VERIFY_OK(bit);
    const std::vector<Drawn> expected = drained(**whole);
    QVERIFY(expected.size() >= 300);
    QVERIFY(drained(**bit) == expected);
    QCOMPARE((*bit)->end(), (*whole)->end());
    QCOMPARE((*bit)->samplesPerEpoch(), (*whole)->samplesPerEpoch());
  }

  void onlyWhatIsUsedIsLookedFor() {
    Plan made = plan(60000, "shuffle {\"mode\": \"window\", \"window\": 100}", "\"size\": 10");
    const auto source = lists(made);
    auto sampler = IndexSampler::make(made, {0, 0, 20, std::nullopt}, false);
    VERIFY_OK(sampler);
    QCOMPARE(drained(**sampler).size(), std::size_t{200});
    QVERIFY(!source->listed());
    QVERIFY2(source->known() < 3000, qPrintable(QString::number(source->known())));
    // Asking for the number of samples completes the scan.
    QCOMPARE((*sampler)->samplesPerEpoch(), std::uint64_t{60000});
    QVERIFY(source->listed());
  }

  void aStartWithinItLooksAsFarAsThat() {
    Plan made = plan(5000, "", "\"size\": 10");
    const auto source = lists(made);
    auto sampler = IndexSampler::make(made, {2, 300, 1, std::nullopt}, false);
    VERIFY_OK(sampler);
    QVERIFY(!source->listed());
    const auto seen = drained(**sampler);
    QCOMPARE(seen.size(), std::size_t{10});
    QVERIFY(seen.front() == (Drawn{2, 3000, 10}));
    const auto refused = IndexSampler::make(made, {2, 500, 1, std::nullopt}, false);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.find("has 500 batches") != std::string::npos);
  }

  void aStopEndsItAtABatchThatIsKnown() {
    Plan made = plan(60000, "", "\"size\": 10");
    lists(made);
    auto sampler = IndexSampler::make(made, {}, false);
    VERIFY_OK(sampler);
    std::shared_ptr<const EpochIndices> cached;
    QVERIFY((*sampler)->epochOfTicket((*sampler)->takeSamples(64), cached) != nullptr);
    QCOMPARE((*sampler)->stop(), std::uint64_t{7});  // six whole batches and one in progress
    QVERIFY((*sampler)->epochOfTicket(69, cached) != nullptr);
    QVERIFY((*sampler)->epochOfTicket(70, cached) == nullptr);
  }

  void manyThreadsMakeItGrowTogether() {
    Plan made = plan(30000, "shuffle {\"mode\": \"window\", \"window\": 50}", "\"size\": 16");
    lists(made);
    auto sampler = IndexSampler::make(made, {0, 0, std::nullopt, 2}, false);
    VERIFY_OK(sampler);
    std::array<std::vector<Drawn>, 4> seen;
    std::vector<std::thread> threads;
    for (auto& mine : seen) threads.emplace_back([&] { mine = drained(**sampler); });
    for (std::thread& thread : threads) thread.join();
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    for (const auto& mine : seen)
      for (const Drawn& place : mine) all.emplace(place.epoch, place.index);
    QCOMPARE(all.size(), std::size_t{60000});
  }

  void aRunOverItGivesTheSameBatches() {
    const char* chain =
        "synthetic {\"count\": 3000, \"content\": \"features\", \"length\": 4}\nshuffle {\"mode\": "
        "\"window\", \"window\": 64}\nworkers {\"count\": 3}\nbatch {\"size\": "
        "32}\nprefetch\ndrain";
    const auto listed = planOf(chain);
    VERIFY_OK(listed);
    Plan growing = *listed;
    const auto source = lists(growing);
    const auto expected = tests::runPlan(*listed, tests::epochs(2), CacheSet::make(*listed).take());
    const auto seen = tests::runPlan(growing, tests::epochs(2), CacheSet::make(growing).take());
    QVERIFY2(seen.end == RunEnd::Finished, seen.error.c_str());
    QVERIFY(source->listed());
    QCOMPARE(seen.totals.samples, expected.totals.samples);
    QVERIFY(seen.batches == expected.batches);
  }

  void aShareOfFailuresIsThatOfAllSamples() {
    Plan made = plan(1000, "", "\"size\": 10");
    const auto source = lists(made);
    FailureBudget budget(FailureLimit::parse("1%").take(), made.pipeline.source);
    QVERIFY(source->atLeast(200) == 200);
    for (std::uint32_t i = 0; i < 2; ++i) VERIFY_OK(budget.record(i, "n", "s", "r"));
    QVERIFY(!source->listed());  // 1 % of the samples known so far allows these failures
    for (std::uint32_t i = 2; i < 10; ++i) VERIFY_OK(budget.record(i, "n", "s", "r"));
    QVERIFY(source->listed());
    const Status over = budget.record(10, "n", "s", "r");
    QVERIFY(!over);
    QVERIFY(over.error().message.find("more than 10 of 1000 samples failed, limit 1 %") !=
            std::string::npos);
    VERIFY_OK(budget.record(11, "n", "s", "r"));
  }

  void aNumberOfFailuresNeedsNoListing() {
    Plan made = plan(1000, "", "\"size\": 10");
    const auto source = lists(made);
    FailureBudget budget(FailureLimit::parse("1").take(), made.pipeline.source);
    VERIFY_OK(budget.record(0, "n", "s", "r"));
    const Status over = budget.record(1, "n", "s", "r");
    QVERIFY(!over && !source->listed());
    QVERIFY(over.error().message.find("more than 1 sample failed") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestGrowingEpoch;
MILLRACE_TEST_CASE(TestGrowingEpoch)
#include "tst_growing_epoch.moc"
