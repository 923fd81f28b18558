// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include <fmt/format.h>

#include "tests/core/run/run_support.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr const char* kTints = R"(
  tint {"amount": 1}
  tint {"amount": 2}
  tint {"amount": 4}
)";

/// What was added to each sample of an epoch: a set bit for each node that was applied.
std::map<std::uint32_t, int> added(const std::string& choice) {
  std::map<std::uint32_t, int> first;
  std::map<std::uint32_t, int> sums;
  const auto take = [](const std::string& nodes, std::map<std::uint32_t, int>& into) {
    const Result<Plan> plan =
        planOf("words {\"unit\": 1, \"count\": 350}\n" + nodes + "batch {\"size\": 16}\ndrain");
    if (!plan) qFatal("%s", plan.error().message.c_str());
    runPlan(*plan, epochs(1), CacheSet(), [&](Executor&, const Batch& batch) {
      for (std::size_t r = 0; r < batch.rows; ++r)
        if (batch.fields[0].rows[r].bytes > 0)
          into[batch.keys[r].index] = int(batch.fields[0].rows[r].data[0]);
    });
  };
  take("", first);
  take(kTints + choice + "\n", sums);
  for (auto& [index, value] : sums) value = (value - first.at(index)) & 255;
  return sums;
}

}  // namespace

class TestChosenRun : public QObject {
  Q_OBJECT
 private slots:
  void oneOfTheNodesIsApplied() {
    std::map<int, int> counts;
    for (const auto& [index, sum] : added(R"(choose {"nodes": ["tint", "tint_2", "tint_3"]})"))
      ++counts[sum];
    QCOMPARE(counts.size(), std::size_t{3});
    QVERIFY(counts[1] > 60 && counts[2] > 60 && counts[4] > 60);
    QCOMPARE(counts[1] + counts[2] + counts[4], 300);
  }

  void severalAreAppliedWithAProbability() {
    std::map<int, int> counts;
    const char* const choice =
        R"(choose {"nodes": ["tint", "tint_2", "tint_3"], "count": 2, "probability": 0.5})";
    for (const auto& [index, sum] : added(choice)) ++counts[sum];
    QCOMPARE(counts.size(), std::size_t{4});
    for (const int sum : {0, 3, 5, 6}) QVERIFY(counts[sum] > 20);
  }

  void everyNumberOfWorkersDrawsTheSame() {
    TemporaryFolder folder;
    writePictures(folder.path(), 24);
    const auto chain = [&](int count) {
      return fmt::format("image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}",
                         folder.path().native(), workers(count)) +
             R"(
             decode
             random_resized_crop {"height": 24, "width": 24}
             flip
             gamma {"probability": 1.0}
             posterize {"probability": 1.0}
             choose {"nodes": ["flip", "gamma", "posterize"], "count": 2}
             normalise
             batch {"size": 5}
             drain)";
    };
    const Outcome one = runChain(chain(1), epochs(2));
    QCOMPARE(one.error, std::string());
    QVERIFY(one.batches.size() >= 8);
    for (const int count : {2, 5})
      QVERIFY(runChain(chain(count), epochs(2)).batches == one.batches);
  }

  void aNodeOfAChoiceDoesWhatItDoesAlone() {
    TemporaryFolder folder;
    writePictures(folder.path(), 16);
    const auto outcome = [&](const std::string& choice) {
      return runChain(fmt::format("image_folder {{\"paths\": [\"{}\"]}}", folder.path().native()) +
                          "\ndecode\nresize {\"height\": 24, \"width\": 24}\nflip\ngamma\n" +
                          choice + "\nbatch {\"size\": 4}\ndrain",
                      epochs(1));
    };
    const Outcome all = outcome(R"(choose {"nodes": ["flip", "gamma"], "count": 0})");
    QCOMPARE(all.error, std::string());
    QVERIFY(all.batches == outcome("").batches);
    QVERIFY(all.batches != outcome(R"(choose {"nodes": ["flip", "gamma"]})").batches);
  }

  void viewsDrawSeparately() {
    TemporaryFolder folder;
    writePictures(folder.path(), 16);
    const Result<Plan> plan =
        planOf(fmt::format("image_folder {{\"paths\": [\"{}\"]}}", folder.path().native()) + R"(
        decode
        views {"count": 2}
        resize {"height": 8, "width": 8}
        flip {"horizontal": 1.0}
        invert {"probability": 1.0}
        choose {"nodes": ["flip", "invert"]}
        batch {"size": 16}
        drain)");
    VERIFY_OK(plan);
    int alike = 0;
    runPlan(*plan, batches(1), CacheSet(), [&](Executor&, const Batch& batch) {
      for (std::size_t r = 0; r < batch.rows; ++r) {
        const TensorView& a = batch.fields[0].rows[r];
        const TensorView& b = batch.fields[1].rows[r];
        if (std::equal(a.data, a.data + a.bytes, b.data)) ++alike;
      }
    });
    QVERIFY2(alike > 0 && alike < 16, QByteArray::number(alike).constData());
  }
};

}  // namespace millrace

using millrace::TestChosenRun;
MILLRACE_TEST_CASE(TestChosenRun)
#include "tst_chosen_run.moc"
