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
#include "core/cuda/libraries/nccl_library.h"
#include "core/train/rendezvous.h"

namespace millrace {

namespace {

/// All ranks as an NCCL communicator. Ended by abort, which does not wait.
class NcclRanks {
 public:
  /// Waits for the others, which create theirs too.
  static Result<std::unique_ptr<NcclRanks>> make(std::shared_ptr<const NcclLibrary> library,
                                                 Rendezvous& rendezvous, const Device& device) {
    std::unique_ptr<NcclRanks> made(new NcclRanks(std::move(library)));
    const nccl::Functions& calls = made->m_library->functions();
    nccl::Id id{};
    std::vector<char> message(sizeof id);
    if (rendezvous.rank().number == 0) {
      MILLRACE_TRY(made->m_library->result(calls.getUniqueId(&id), "ncclGetUniqueId"));
      std::memcpy(message.data(), &id, sizeof id);
    }
    MILLRACE_ASSIGN_OR_RETURN(const auto received, rendezvous.broadcast(message));
    if (received.size() != sizeof id) return Error{"rank 0 did not start NCCL"};
    std::memcpy(&id, received.data(), sizeof id);
    const auto scope = device.enter();
    MILLRACE_TRY(made->m_library->result(
        calls.initRank(&made->m_group, static_cast<int>(rendezvous.rank().world), id,
                       static_cast<int>(rendezvous.rank().number)),
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
    // A test double waits for the others when its turn in the stream comes, as a device does. That
    // may be after the group has ended; its result is then ignored.
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
  /// `nccl`: nullptr to use host memory.
  RankAverage(std::unique_ptr<Rendezvous> rendezvous, std::unique_ptr<NcclRanks> nccl)
      : m_rendezvous(std::move(rendezvous)),
        m_by(nccl ? "NCCL " + nccl->version() : "host memory"),
        m_nccl(std::move(nccl)) {}

  Status average(Stream& stream, float* values, std::size_t count) override {
    return m_nccl && !m_someLeft ? byNccl(stream, values, count) : byHost(stream, values, count);
  }

  Status settle(const Event& event) override {
    if (!m_nccl || m_someLeft) return event.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      MILLRACE_ASSIGN_OR_RETURN(const auto passed, event.passed());
      if (passed) return {};
      const Status others = m_rendezvous->othersLive(begin);
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
  /// The ranks first agree that all are there: NCCL would wait forever for a missing one.
  Status byNccl(Stream& stream, float* values, std::size_t count) {
    MILLRACE_ASSIGN_OR_RETURN(const auto there, m_rendezvous->arrive());
    m_rendezvous->done();
    m_someLeft = there.size() < static_cast<std::size_t>(m_rendezvous->rank().world);
    return m_someLeft ? byHost(stream, values, count) : m_nccl->average(stream, values, count);
  }

  Status byHost(Stream& stream, float* values, std::size_t count) {
    MILLRACE_TRY(m_rendezvous->waitUntilRead());
    const std::span<float> own = m_rendezvous->own();
    MILLRACE_TRY(stream.copyToHost(own.data(), values, count * sizeof(float)));
    // After this the sum of the previous step has left the host, too.
    MILLRACE_TRY(stream.synchronise());
    MILLRACE_ASSIGN_OR_RETURN(const auto there, m_rendezvous->arrive());
    m_sum.assign(count, 0.0F);
    for (const std::size_t rank : there) {
      const std::span<const float> part = m_rendezvous->of(rank);
      for (std::size_t i = 0; i < count; ++i) m_sum[i] += part[i];
    }
    m_rendezvous->done();
    const auto ranks = static_cast<float>(there.size());
    for (float& value : m_sum) value /= ranks;
    return stream.copyToDevice(values, m_sum.data(), count * sizeof(float));
  }

  const std::unique_ptr<Rendezvous> m_rendezvous;
  const std::string m_by;
  std::unique_ptr<NcclRanks> m_nccl;
  bool m_someLeft = false;
  std::vector<float> m_sum;
};

/// The number of trainings that this rank has started: one per repeat, in the same order in every
/// rank.
int trainingsBefore(const Rank& rank) {
  static Mutex mutex;
  static std::map<std::pair<std::filesystem::path, std::int64_t>, int> begun;
  const MutexLock lock(mutex);
  return begun[{rank.rendezvous, rank.number}]++;
}

}  // namespace

Result<std::unique_ptr<GradientAverage>> rankAverage(const Rank& rank, Device& device,
                                                     std::size_t count,
                                                     std::chrono::seconds patience) {
  MILLRACE_ASSIGN_OR_RETURN(
      auto rendezvous, Rendezvous::open(rank, fmt::format("gradients-{}", trainingsBefore(rank)),
                                        device.facts().pciAddress, count, patience));
  std::unique_ptr<NcclRanks> nccl;
  if (rendezvous->allOnOneDeviceEach())
    if (const auto found = NcclLibrary::use(device.backend())) {
      // Here and not in the first step, which is timed.
      MILLRACE_ASSIGN_OR_RETURN(nccl, NcclRanks::make(*found, *rendezvous, device));
    }
  return std::unique_ptr<GradientAverage>(
      std::make_unique<RankAverage>(std::move(rendezvous), std::move(nccl)));
}

}  // namespace millrace
