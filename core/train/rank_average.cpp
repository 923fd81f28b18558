// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/rank_average.h"

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/cuda/nccl_library.h"
#include "core/train/meeting.h"

namespace millrace {

namespace {

/// All ranks as NCCL sees them. Ended by abort, which waits for nobody.
class NcclRanks {
 public:
  /// Waits for the others, which make theirs too.
  static Result<std::unique_ptr<NcclRanks>> make(std::shared_ptr<const NcclLibrary> library,
                                                 Meeting& meeting, const Device& device) {
    std::unique_ptr<NcclRanks> made(new NcclRanks(std::move(library)));
    const nccl::Functions& calls = made->m_library->functions();
    nccl::Id id{};
    std::vector<char> word(sizeof id);
    if (meeting.rank().number == 0) {
      MILLRACE_TRY(made->m_library->result(calls.getUniqueId(&id), "ncclGetUniqueId"));
      std::memcpy(word.data(), &id, sizeof id);
    }
    const auto told = meeting.tell(word);
    if (!told) return told.error();
    if (told->size() != sizeof id) return Error{"rank 0 did not start NCCL"};
    std::memcpy(&id, told->data(), sizeof id);
    const auto scope = device.enter();
    MILLRACE_TRY(made->m_library->result(
        calls.initRank(&made->m_group, static_cast<int>(meeting.rank().world), id,
                       static_cast<int>(meeting.rank().number)),
        "ncclCommInitRank"));
    return made;
  }
  ~NcclRanks() {
    if (m_group != nullptr) m_library->functions().abort(m_group);
  }
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;

  Status average(Stream& stream, float* values, std::size_t count) {
    const auto work = [library = m_library, group = m_group, values, count,
                       native = stream.native()] {
      return library->functions().allReduce(values, values, count, nccl::kFloat32, nccl::kAverage,
                                            group, native);
    };
    // A stand-in for tests waits for the others when the stream's turn comes, as a device does. It
    // may come when the group has ended, which nobody is told then.
    if (stream.emulated()) return stream.enqueue("ncclAllReduce", [work] { (void)work(); });
    MILLRACE_TRY(stream.enter());
    return m_library->result(work(), "ncclAllReduce");
  }
  std::string version() const { return m_library->version(); }

 private:
  explicit NcclRanks(std::shared_ptr<const NcclLibrary> library) : m_library(std::move(library)) {}

  const std::shared_ptr<const NcclLibrary> m_library;
  nccl::Group m_group = nullptr;
};

class RankAverage final : public GradientAverage {
 public:
  /// `nccl`: nullptr where the host's memory is to do it.
  RankAverage(std::unique_ptr<Meeting> meeting, std::unique_ptr<NcclRanks> nccl)
      : m_meeting(std::move(meeting)),
        m_by(nccl ? "NCCL " + nccl->version() : "host memory"),
        m_nccl(std::move(nccl)) {}

  Status average(Stream& stream, float* values, std::size_t count) override {
    return m_nccl && !m_someLeft ? byNccl(stream, values, count) : byHost(stream, values, count);
  }

  Status settle(const Event& event) override {
    if (!m_nccl || m_someLeft) return event.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      const auto passed = event.passed();
      if (!passed) return passed.error();
      if (*passed) return {};
      const Status others = m_meeting->othersLive(begin);
      if (!others) {
        abandon();
        return others;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  void abandon() override { m_nccl.reset(); }

  std::string by() const override { return m_by; }

 private:
  /// The ranks agree first that all are there: NCCL would wait for one that is not for ever.
  Status byNccl(Stream& stream, float* values, std::size_t count) {
    const auto there = m_meeting->arrive();
    if (!there) return there.error();
    m_meeting->done();
    m_someLeft = there->size() < static_cast<std::size_t>(m_meeting->rank().world);
    return m_someLeft ? byHost(stream, values, count) : m_nccl->average(stream, values, count);
  }

  Status byHost(Stream& stream, float* values, std::size_t count) {
    MILLRACE_TRY(m_meeting->waitUntilRead());
    const std::span<float> own = m_meeting->own();
    MILLRACE_TRY(stream.copyToHost(own.data(), values, count * sizeof(float)));
    // The sum of the step before has left the host too then.
    MILLRACE_TRY(stream.synchronise());
    const auto there = m_meeting->arrive();
    if (!there) return there.error();
    m_sum.assign(count, 0.0F);
    for (const std::size_t rank : *there) {
      const std::span<const float> part = m_meeting->of(rank);
      for (std::size_t i = 0; i < count; ++i) m_sum[i] += part[i];
    }
    m_meeting->done();
    const auto ranks = static_cast<float>(there->size());
    for (float& value : m_sum) value /= ranks;
    return stream.copyToDevice(values, m_sum.data(), count * sizeof(float));
  }

  const std::unique_ptr<Meeting> m_meeting;
  const std::string m_by;
  std::unique_ptr<NcclRanks> m_nccl;
  bool m_someLeft = false;
  std::vector<float> m_sum;
};

/// How many trainings this rank has begun: one for each repeat, in the same order in every rank.
int trainingsBefore(const Rank& rank) {
  static Mutex mutex;
  static std::map<std::pair<std::filesystem::path, std::int64_t>, int> begun;
  const MutexLock lock(mutex);
  return begun[{rank.meeting, rank.number}]++;
}

}  // namespace

Result<std::unique_ptr<GradientAverage>> rankAverage(const Rank& rank, Device& device,
                                                     std::size_t count,
                                                     std::chrono::seconds patience) {
  auto meeting = Meeting::open(rank, fmt::format("gradients-{}", trainingsBefore(rank)),
                               device.facts().pciAddress, count, patience);
  if (!meeting) return meeting.error();
  std::unique_ptr<NcclRanks> nccl;
  if ((*meeting)->allOnOneDeviceEach())
    if (const auto found = NcclLibrary::use(device.backend())) {
      // Here, and not in the first step, which is timed.
      auto made = NcclRanks::make(*found, **meeting, device);
      if (!made) return made.error();
      nccl = made.take();
    }
  return std::unique_ptr<GradientAverage>(
      std::make_unique<RankAverage>(meeting.take(), std::move(nccl)));
}

}  // namespace millrace
