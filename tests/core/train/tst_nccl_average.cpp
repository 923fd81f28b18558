// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Gradients averaged by a fake NCCL, with one device per rank.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "core/cuda/libraries/nccl_library.h"
#include "core/train/rank_average.h"
#include "core/train/rendezvous.h"
#include "tests/core/train/as_ranks.h"
#include "tests/core/train/learnable.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::asRanks;
using tests::FedTrainer;
using tests::folderOfOtherRank;
using tests::OtherRank;
using tests::smallTrainer;
using tests::StripedBatch;
using tests::TemporaryFolder;

namespace {

constexpr std::size_t kCount = 3;

std::string deviceOf(const Rank& rank) { return "0000:0" + std::to_string(rank.number) + ":00.0"; }

std::shared_ptr<Device> ownDevice(const Rank& rank) {
  return makeEmulatedDevice({.pciAddress = deviceOf(rank).c_str()});
}

/// A rank and its values: its number plus ten times the step, initially.
class AveragingRank {
 public:
  explicit AveragingRank(const Rank& rank,
                         std::chrono::seconds patience = std::chrono::seconds(120))
      : m_rank(rank),
        m_device(ownDevice(rank)),
        m_stream(m_device->makeStream("test").take()),
        m_done(m_device->makeEvent(EventKind::Timed).take()),
        m_memory(m_device->deviceMemory(kCount * sizeof(float)).take()),
        m_average(rankAverage(rank, *m_device, kCount, patience).take()) {}
  /// Like the end of a trainer: nothing may wait for a rank that is gone.
  ~AveragingRank() {
    m_average->abandon();
    (void)m_stream->synchronise();
  }
  AveragingRank(const AveragingRank&) = delete;
  AveragingRank& operator=(const AveragingRank&) = delete;

  Result<float> step() {
    auto* const values = reinterpret_cast<float*>(m_memory.data());
    m_values.assign(kCount, static_cast<float>(10 * m_step++ + m_rank.number));
    MILLRACE_TRY(m_stream->copyToDevice(values, m_values.data(), kCount * sizeof(float)));
    MILLRACE_TRY(m_average->average(*m_stream, values, kCount));
    MILLRACE_TRY(m_stream->copyToHost(m_values.data(), values, kCount * sizeof(float)));
    MILLRACE_TRY(m_stream->record(*m_done));
    MILLRACE_TRY(m_average->settle(*m_done));
    if (m_values[1] != m_values[0] || m_values[2] != m_values[0]) return Error{"the values differ"};
    return m_values[0];
  }
  std::string by() const { return m_average->by(); }

 private:
  const Rank m_rank;
  const std::shared_ptr<Device> m_device;
  const std::unique_ptr<Stream> m_stream;
  const std::unique_ptr<Event> m_done;
  const DeviceBuffer m_memory;
  const std::unique_ptr<GradientAverage> m_average;
  std::int64_t m_step = 0;
  std::vector<float> m_values;  ///< host memory; must stay until the stream is done with it
};

std::vector<float> averagedByNccl(const Rank& rank, int steps) {
  AveragingRank averaging(rank);
  std::vector<float> all;
  for (int i = 0; i < steps; ++i) {
    const auto value = averaging.step();
    if (!value) return {};
    all.push_back(*value);
  }
  return all;
}

/// Joins as rank 1 of 2 in the rendezvous's first training and reaches the first step, but never
/// reduces. Keep the result to stay there.
std::unique_ptr<Rendezvous> arrived(const std::filesystem::path& folder) {
  const Rank rank{1, 2, folder};
  auto rendezvous =
      Rendezvous::open(rank, "gradients-0", deviceOf(rank), kCount, std::chrono::seconds(100))
          .take();
  const auto word = rendezvous->broadcast({});
  const auto there = rendezvous->arrive();
  rendezvous->done();
  return word && there ? std::move(rendezvous) : nullptr;
}

}  // namespace

class TestNcclAverage : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    setenv("MILLRACE_NCCL", tests::kFakeNccl, 1);
    // As another rank: reaches its first step and disappears.
    if (!folderOfOtherRank().empty()) ::_exit(arrived(folderOfOtherRank()) ? 0 : 1);
  }

  void everyRankGetsTheMean() {
    const TemporaryFolder folder;
    const auto all = asRanks(3, folder, [](const Rank& rank) { return averagedByNccl(rank, 50); });
    std::vector<float> expected;
    for (int i = 0; i < 50; ++i) expected.push_back(static_cast<float>(10 * i + 1));
    for (const std::vector<float>& each : all) QCOMPARE(each, expected);
  }

  void itIsReadyBeforeTheFirstStepAndDoesIt() {
    const TemporaryFolder folder;
    const auto by = asRanks(2, folder, [](const Rank& rank) { return AveragingRank(rank).by(); });
    QCOMPARE(by, (std::vector<std::string>(2, "NCCL 2.28.9")));
    const auto together = asRanks(2, folder, [](const Rank& rank) {
      const Rank same{0, 1, {}};
      const auto device = ownDevice(same);
      return rankAverage(rank, *device, kCount).take()->by();
    });
    QCOMPARE(together, (std::vector<std::string>(2, "host memory")));
  }

  void trainersKeepOneNetwork() {
    const TemporaryFolder folder;
    const auto trained = asRanks(2, folder, [](const Rank& rank) {
      TrainerSettings settings = smallTrainer(4, 8, DType::F32);
      settings.rank = rank;
      FedTrainer fed(ownDevice(rank), settings);
      if (!fed.trainer->libraries().ends_with("gradients of all ranks by NCCL 2.28.9"))
        return std::vector<float>();
      for (std::uint32_t i = 0; i < 4; ++i)
        if (!fed.step(StripedBatch(10 * i + static_cast<std::uint32_t>(rank.number), 4, 8)))
          return std::vector<float>();
      return fed.trainer->parameters().take();
    });
    QVERIFY(!trained[0].empty() && trained[0] == trained[1]);
  }

  /// The others continue among themselves.
  void ranksThatHaveLeftAreNotWaitedFor() {
    const TemporaryFolder folder;
    const auto all = asRanks(3, folder, [](const Rank& rank) {
      return averagedByNccl(rank, 4 + 3 * static_cast<int>(rank.number));
    });
    for (std::size_t r = 0; r < 3; ++r) QCOMPARE(all[r].size(), 4 + 3 * r);
    QCOMPARE(all[2][3], 31.0F);
    QCOMPARE(all[2][4], 41.5F);
    QCOMPARE(all[2][7], 72.0F);
  }

  void aRankThatNeverReducesIsNotWaitedForForEver() {
    const TemporaryFolder folder;
    std::unique_ptr<Rendezvous> other;
    std::thread comes([&] { other = arrived(folder.path()); });
    AveragingRank own({0, 2, folder.path()}, std::chrono::seconds(2));
    const auto step = own.step();
    comes.join();
    QVERIFY(!step);
    QCOMPARE(step.error().message, "rank 0 waited 2 s for the others to average gradients");
  }

  void aRankWhoseProcessIsGoneIsNamedSoon() {
    const TemporaryFolder folder;
    OtherRank other(folder, "tst_nccl_average");
    QVERIFY(other.started);
    constexpr std::chrono::seconds kPatience(300);
    const auto begin = std::chrono::steady_clock::now();
    AveragingRank own({0, 2, folder.path()}, kPatience);
    const auto step = own.step();
    QVERIFY(!step);
    QCOMPARE(step.error().message, "rank 0 waits for rank 1, whose process has ended");
    QVERIFY(std::chrono::steady_clock::now() - begin < kPatience / 2);
    QCOMPARE(other.exitCode(), 0);
  }
};

MILLRACE_TEST_CASE(TestNcclAverage)

}  // namespace millrace

#include "tst_nccl_average.moc"
