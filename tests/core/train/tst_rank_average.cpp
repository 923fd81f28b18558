// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/rank_average.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "core/train/rendezvous.h"
#include "tests/core/train/as_ranks.h"
#include "tests/core/train/learnable.h"
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

/// The values of a rank after `steps` averages, starting with its number and the step.
std::vector<float> averaged(const Rank& rank, int steps) {
  const auto device = makeEmulatedDevice();
  const auto stream = device->makeStream("test").take();
  auto average = rankAverage(rank, *device, 3).take();
  DeviceBuffer memory = device->deviceMemory(3 * sizeof(float)).take();
  auto* const values = reinterpret_cast<float*>(memory.data());
  std::vector<float> all;
  for (int i = 0; i < steps; ++i) {
    std::vector<float> own(3, static_cast<float>(10 * i) + static_cast<float>(rank.number));
    (void)stream->copyToDevice(values, own.data(), 3 * sizeof(float));
    (void)stream->synchronise();
    if (!average->average(*stream, values, 3)) return {};
    (void)stream->copyToHost(own.data(), values, 3 * sizeof(float));
    (void)stream->synchronise();
    if (own[1] != own[0] || own[2] != own[0]) return {};
    all.push_back(own[0]);
  }
  return all;
}

}  // namespace

class TestRankAverage : public QObject {
  Q_OBJECT

 private slots:
  /// As another rank: makes two steps and disappears.
  void initTestCase() {
    if (folderOfOtherRank().empty()) return;
    const auto device = makeEmulatedDevice();
    const auto stream = device->makeStream("test").take();
    auto average = rankAverage(Rank{1, 2, folderOfOtherRank()}, *device, 3).take();
    const DeviceBuffer memory = device->deviceMemory(3 * sizeof(float)).take();
    for (int i = 0; i < 2; ++i)
      if (!average->average(*stream, reinterpret_cast<float*>(memory.data()), 3)) ::_exit(1);
    ::_exit(0);
  }

  void everyRankGetsTheMean() {
    const TemporaryFolder folder;
    const auto all = asRanks(3, folder, [](const Rank& rank) { return averaged(rank, 50); });
    std::vector<float> expected;
    for (int i = 0; i < 50; ++i) expected.push_back(static_cast<float>(10 * i + 1));
    for (const std::vector<float>& each : all) QCOMPARE(each, expected);
  }

  /// Runs end by time, so one rank may make more steps than another.
  void ranksThatHaveLeftAreNotWaitedFor() {
    const TemporaryFolder folder;
    const auto all = asRanks(3, folder, [](const Rank& rank) {
      return averaged(rank, 4 + 3 * static_cast<int>(rank.number));
    });
    for (std::size_t r = 0; r < 3; ++r) QCOMPARE(all[r].size(), 4 + 3 * r);
    QCOMPARE(all[2][3], 31.0F);
    QCOMPARE(all[2][4], 41.5F);
    QCOMPARE(all[2][7], 72.0F);
    QVERIFY(std::equal(all[0].begin(), all[0].end(), all[2].begin()));
    QVERIFY(std::equal(all[1].begin(), all[1].end(), all[2].begin()));
  }

  void aRankThatDoesNotComeIsAnErrorThatNamesIt() {
    const TemporaryFolder folder;
    const auto device = makeEmulatedDevice();
    const auto made = rankAverage(Rank{0, 2, folder.path()}, *device, 3, std::chrono::seconds(0));
    QVERIFY(!made);
    QCOMPARE(made.error().message, "rank 0 waited 0 s for rank 1 to begin its training");
  }

  void aRankWhoseProcessIsGoneIsNamedSoon() {
    const TemporaryFolder folder;
    OtherRank other(folder, "tst_rank_average");
    QVERIFY(other.started);
    const auto device = makeEmulatedDevice();
    const auto stream = device->makeStream("test").take();
    constexpr std::chrono::seconds kPatience(300);
    auto average = rankAverage(Rank{0, 2, folder.path()}, *device, 3, kPatience);
    VERIFY_OK(average);
    const DeviceBuffer memory = device->deviceMemory(3 * sizeof(float)).take();
    const auto begin = std::chrono::steady_clock::now();
    Status status;
    for (int i = 0; i < 3 && status; ++i)
      status = (*average)->average(*stream, reinterpret_cast<float*>(memory.data()), 3);
    QVERIFY(!status);
    QVERIFY2(status.error().message.starts_with("rank 0 waits for rank 1 ") &&
                 status.error().message.ends_with(", whose process has ended"),
             status.error().message.c_str());
    QVERIFY(std::chrono::steady_clock::now() - begin < kPatience / 2);
    QCOMPARE(other.exitCode(), 0);
  }

  void ranksOnDevicesOfTheirOwnAreTold() {
    const TemporaryFolder folder;
    const auto apart = [&](const char* name, bool same) {
      return asRanks(2, folder, [&](const Rank& rank) {
        const std::string device = same || rank.number == 0 ? "0000:01:00.0" : "0000:02:00.0";
        const auto rendezvous =
            Rendezvous::open(rank, name, device, 1, std::chrono::seconds(100)).take();
        const auto word =
            rendezvous->broadcast(std::vector<char>(rank.number == 0 ? 3 : 1, 'x')).take();
        // Not bool: threads write to neighbouring elements.
        return word.size() == 3 && rendezvous->allOnOneDeviceEach() ? 1 : 0;
      });
    };
    QCOMPARE(apart("own", false), (std::vector<int>{1, 1}));
    QCOMPARE(apart("same", true), (std::vector<int>{0, 0}));
  }

  /// With different data per rank the networks stay equal; with the same data they equal that of a
  /// single rank.
  void ranksKeepOneNetwork() {
    const TemporaryFolder folder;
    const auto trained = [](const Rank& rank, bool sameData) {
      TrainerSettings settings = smallTrainer(4, 8, DType::F32);
      if (rank.world > 1) settings.rank = rank;
      FedTrainer fed(makeEmulatedDevice(), settings);
      for (std::uint32_t i = 0; i < 4; ++i) {
        const auto data = sameData ? i : 10 * i + static_cast<std::uint32_t>(rank.number);
        if (!fed.step(StripedBatch(data, 4, 8))) return std::vector<float>();
      }
      return fed.trainer->parameters().take();
    };
    const std::vector<float> alone = trained({}, true);
    const auto same = asRanks(2, folder, [&](const Rank& rank) { return trained(rank, true); });
    QVERIFY(!alone.empty());
    QVERIFY(same[0] == alone && same[1] == alone);
    const auto other = asRanks(2, folder, [&](const Rank& rank) { return trained(rank, false); });
    QVERIFY(!other[0].empty() && other[0] == other[1]);
    QVERIFY(other[0] != alone);
  }
};

MILLRACE_TEST_CASE(TestRankAverage)

}  // namespace millrace

#include "tst_rank_average.moc"
