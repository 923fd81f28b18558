// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/capi/opened.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::Opened;

/// A number of processes that train on one data set.
struct Training {
  std::uint32_t world = 1;
  int batch = 1;
  std::string uneven = "allow";
  bool dropLast = false;
};

constexpr std::uint32_t kSamples = 37;

std::string chainOf(const Training& training, const std::string& after = {}) {
  return fmt::format(
      "synthetic {{\"count\": {}, \"length\": 3}}\nshuffle {{}}\nshard {{\"uneven\": \"{}\"}}\n{}"
      "batch {{\"size\": {}, \"drop_last\": {}}}\ndrain {{}}\n",
      kSamples, training.uneven, after, training.batch, training.dropLast);
}

/// The loaders of all processes.
std::vector<std::unique_ptr<Opened>> processesOf(const Training& training) {
  std::vector<std::unique_ptr<Opened>> all;
  for (std::uint32_t rank = 0; rank < training.world; ++rank)
    all.push_back(std::make_unique<Opened>(chainOf(training), [&](millrace_options& options) {
      options.rank = rank;
      options.world = training.world;
    }));
  return all;
}

/// The numbers of the next batch's samples; empty at the end of the epoch.
std::vector<std::uint32_t> nextSamples(millrace_loader* loader) {
  millrace_batch* batch = nullptr;
  if (millrace_next(loader, -1, &batch) != MILLRACE_OK) return {};
  const std::vector<std::uint32_t> samples(batch->samples, batch->samples + batch->rows);
  millrace_release(batch);
  return samples;
}

/// What is left of the epoch in all processes, sorted.
std::vector<std::uint32_t> restOf(const std::vector<std::unique_ptr<Opened>>& processes) {
  std::vector<std::uint32_t> rest;
  for (const auto& process : processes)
    for (auto batch = nextSamples(process->loader); !batch.empty();
         batch = nextSamples(process->loader))
      rest.insert(rest.end(), batch.begin(), batch.end());
  std::ranges::sort(rest);
  return rest;
}

/// The order of epoch 0, as one process delivers it.
std::vector<std::uint32_t> wholeOrder() {
  const Opened alone(chainOf({}));
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < kSamples; ++i) order.push_back(nextSamples(alone.loader).at(0));
  return order;
}

void restoreAll(const std::vector<std::unique_ptr<Opened>>& processes, const std::string& state) {
  for (const auto& process : processes) {
    QVERIFY2(process->status == MILLRACE_OK, process->error.c_str());
    const millrace_status restored = millrace_restore(process->loader, state.c_str());
    QVERIFY2(restored == MILLRACE_OK, millrace_last_error());
  }
}

const std::vector<Training> kTrainings = {{1, 1}, {1, 4}, {2, 3}, {3, 2}, {4, 4}, {5, 1}, {8, 2}};

}  // namespace

class TestElasticResume : public QObject {
  Q_OBJECT
 private slots:
  // The processes after the restart share exactly the samples that those before had left.
  void anotherNumberOfProcessesDeliversTheRestOfTheEpoch() {
    const std::vector<std::uint32_t> order = wholeOrder();
    for (const Training& before : kTrainings)
      for (std::size_t done = 0; (done + 1) * before.world * before.batch <= kSamples; ++done) {
        const auto first = processesOf(before);
        for (std::size_t b = 0; b < done; ++b)
          for (const auto& process : first) (void)nextSamples(process->loader);
        const std::string state = first.back()->state();
        const auto left = static_cast<std::ptrdiff_t>(done * before.world * before.batch);
        std::vector<std::uint32_t> expected(order.begin() + left, order.end());
        std::ranges::sort(expected);
        for (const Training& after : kTrainings) {
          const auto next = processesOf(after);
          restoreAll(next, state);
          QCOMPARE(restOf(next), expected);
        }
      }
  }

  // Stopped and continued three times with other numbers of processes, an epoch is complete; the
  // next one is whole, and that of a training that never stopped.
  void severalRestartsInOneEpochLoseNothing() {
    std::vector<std::uint32_t> seen;
    std::string state = Opened(chainOf({})).state();
    for (const Training& training : {Training{2, 3}, Training{3, 1}, Training{1, 5}}) {
      const auto processes = processesOf(training);
      restoreAll(processes, state);
      for (int b = 0; b < 2; ++b)
        for (const auto& process : processes)
          for (const std::uint32_t sample : nextSamples(process->loader)) seen.push_back(sample);
      state = processes.front()->state();
    }
    QCOMPARE(seen.size(), std::size_t{12 + 6 + 10});
    const Training last{4, 2};
    const auto processes = processesOf(last);
    restoreAll(processes, state);
    for (const std::uint32_t sample : restOf(processes)) seen.push_back(sample);
    std::ranges::sort(seen);
    QCOMPARE(seen.size(), std::size_t{kSamples});
    QVERIFY(std::ranges::adjacent_find(seen) == seen.end());

    const auto through = processesOf(last);
    (void)restOf(through);
    for (std::size_t rank = 0; rank < through.size(); ++rank)
      QCOMPARE(tests::restOfEpoch(processes[rank]->loader),
               tests::restOfEpoch(through[rank]->loader));
  }

  // If the samples delivered are a number of whole batches of the new processes, these go on bit
  // for bit like processes that never stopped.
  void wholeBatchesContinueATrainingOfTheNewSize() {
    const auto before = processesOf({2, 6});
    for (const auto& process : before) (void)nextSamples(process->loader);
    const Training after{4, 3};
    const auto next = processesOf(after);
    restoreAll(next, before.front()->state());
    const auto through = processesOf(after);
    for (std::size_t rank = 0; rank < next.size(); ++rank) {
      (void)nextSamples(through[rank]->loader);
      QCOMPARE(tests::restOfEpoch(next[rank]->loader), tests::restOfEpoch(through[rank]->loader));
    }
  }

  void partsOfEqualSizeStayEqual() {
    for (const char* uneven : {"pad", "drop"})
      for (const bool dropLast : {false, true}) {
        const auto before = processesOf({2, 5, uneven, dropLast});
        for (const auto& process : before) (void)nextSamples(process->loader);
        const auto next = processesOf({4, 2, uneven, dropLast});
        restoreAll(next, before.front()->state());
        std::vector<std::size_t> batches;
        for (const auto& process : next)
          batches.push_back(tests::restOfEpoch(process->loader).size() - 1);
        // 27 of 37 samples are left: 7 or 6 for each process.
        const std::size_t share = std::strcmp(uneven, "pad") == 0 ? 7 : 6;
        const std::size_t expected = dropLast ? share / 2 : (share + 1) / 2;
        QCOMPARE(batches, std::vector<std::size_t>(4, expected));
      }
  }

  // 3 samples are left for 8 processes: the others have an empty rest, and all meet in epoch 1.
  void aProcessWithoutARestWaitsForTheNextEpoch() {
    const auto before = processesOf({1, 34});
    (void)nextSamples(before.front()->loader);
    const auto next = processesOf({8, 2});
    restoreAll(next, before.front()->state());
    for (std::size_t rank = 0; rank < next.size(); ++rank) {
      QCOMPARE(tests::restOfEpoch(next[rank]->loader).size(), std::size_t{rank < 3 ? 2U : 1U});
      QVERIFY(tests::restOfEpoch(next[rank]->loader).front().starts_with("1:0 "));
    }
  }

  void anOrderNodeAfterTheShardNodeTiesAStateToItsProcesses() {
    const Opened before(chainOf({2, 3}, "repeat {}\n"));
    (void)nextSamples(before.loader);
    const std::string state = before.state();
    const Opened same(chainOf({2, 3}, "repeat {}\n"));
    QCOMPARE(millrace_restore(same.loader, state.c_str()), MILLRACE_OK);
    const Opened other(chainOf({2, 4}, "repeat {}\n"));
    QCOMPARE(millrace_restore(other.loader, state.c_str()), MILLRACE_ERROR_STATE);
    const std::string why = millrace_last_error();
    QVERIFY2(why.find("size 3 -> 4") != std::string::npos, why.c_str());
    QVERIFY2(why.find("`repeat` comes after the node that divides the data") != std::string::npos,
             why.c_str());
  }

  // A state that 0.1.0 wrote counts batches, which must have the same size now.
  void aStateOfTheFirstVersionIsRead() {
    const Opened before(chainOf({1, 4}));
    std::string state = before.state();
    const auto replace = [&](const std::string& from, const std::string& to) {
      const std::size_t at = state.find(from);
      QVERIFY2(at != std::string::npos, state.c_str());
      state.replace(at, from.size(), to);
    };
    replace("\"millrace_state\":2", "\"millrace_state\":1");
    replace("\"samples\":0", "\"batch\":2");
    const Opened same(chainOf({1, 4}));
    QCOMPARE(millrace_restore(same.loader, state.c_str()), MILLRACE_OK);
    QVERIFY(tests::restOfEpoch(same.loader).front().starts_with("0:2 "));
    const Opened other(chainOf({1, 5}));
    QCOMPARE(millrace_restore(other.loader, state.c_str()), MILLRACE_ERROR_STATE);
  }
};

}  // namespace millrace

using millrace::TestElasticResume;
MILLRACE_TEST_CASE(TestElasticResume)
#include "tst_elastic_resume.moc"
