// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/run/epoch_indices.h"

namespace millrace {

class GrowingEpoch;

/// Where a run starts and ends. Without a limit it is endless.
struct OrderLimits {
  std::uint32_t startEpoch = 0;
  std::uint64_t startBatch = 0;  ///< within the start epoch
  std::optional<std::uint64_t> batches;
  std::optional<std::uint64_t> epochs;
  /// So many samples at the beginning of the start epoch's order are left out, before the order is
  /// divided among processes; batches are counted without them.
  std::uint64_t startOffset = 0;
  /// Whether the start may be the end of its epoch: parts of processes may differ by a batch.
  bool mayStartAtEnd = false;
};

/// Hands out the samples of a run in order, epoch after epoch, to many threads at once. A ticket is
/// a position in that order, counted over all epochs; tickets are taken from an atomic counter. The
/// order of an epoch is computed once, by the first thread that needs it
/// (docs/reference/order-and-randomness.md: no batch crosses an epoch). While the source is still
/// being scanned, the first epoch's order is extended on demand by whichever thread needs more of
/// it.
class IndexSampler {
 public:
  ~IndexSampler();
  /// Computes the first epoch. The error says why no sample is left to run.
  static Result<std::unique_ptr<IndexSampler>> make(const Plan& plan, const OrderLimits& limits,
                                                    bool noRandom);

  /// Most samples that a thread claims at a time.
  static constexpr std::uint64_t kMostClaimed = 64;
  /// Takes the next `count` tickets of single samples: [result, result + count). Lock-free.
  std::uint64_t takeSamples(std::uint64_t count) {
    return m_nextTicket.fetch_add(count, std::memory_order_relaxed);
  }
  /// The next ticket to be taken. Lock-free.
  std::uint64_t nextTicket() const { return m_nextTicket.load(std::memory_order_relaxed); }
  /// Takes the number of the next whole batch. A run takes either samples or batches. Lock-free.
  std::uint64_t takeBatch() { return m_nextBatch.fetch_add(1, std::memory_order_relaxed); }

  /// The epoch that contains a ticket or batch; nullptr after the end of the run. `cached` holds
  /// the caller's last result and makes the usual case lock-free.
  const EpochIndices* epochOfTicket(std::uint64_t ticket,
                                    std::shared_ptr<const EpochIndices>& cached);
  const EpochIndices* epochOfBatch(std::uint64_t batch,
                                   std::shared_ptr<const EpochIndices>& cached);

  /// Computes the orders of epochs until that of the ticket is known, or the run's end is. Costs
  /// nothing if it is. Not while the source is still being scanned.
  void computeUntil(std::uint64_t ticket);

  /// Ends the run at the next batch boundary: batches in progress are finished, no new one is
  /// started. Returns the number of the first batch that will not be made. Any thread.
  std::uint64_t stop();
  /// One past the run's last batch; nullopt until the end is known.
  std::optional<std::uint64_t> end() const;
  /// Number of the run's first batch. Batches count from the beginning of the start epoch.
  std::uint64_t firstBatch() const { return m_limits.startBatch; }
  /// Ticket of the run's first sample.
  std::uint64_t firstTicket() const { return m_firstTicket; }
  /// Largest difference between the newest ticket and one in use.
  std::uint64_t mostOutstanding() const { return m_outstanding; }
  /// Samples of a whole epoch. Completes the scan of the source if necessary.
  std::uint64_t samplesPerEpoch();
  /// The same without scanning; nullopt while it is not known.
  std::optional<std::uint64_t> knownSamplesPerEpoch() const;
  /// Samples of the start epoch after OrderLimits::startOffset; nullopt while they are not known.
  std::optional<std::uint64_t> knownStartSamples() const;
  /// Calls `known` with the order of each epoch after the first one, before any of its tickets is
  /// in use. Set it before the threads start; it must not call this object.
  void onEpoch(std::function<void(const EpochIndices&)> known) { m_onEpoch = std::move(known); }
  /// Time spent on computing orders, in nanoseconds.
  std::uint64_t orderNs() const { return m_orderNs.load(std::memory_order_relaxed); }

 private:
  IndexSampler(const Plan& plan, const OrderLimits& limits, bool noRandom);
  std::vector<OrderContext> contextsOf(std::uint32_t epoch) const;
  /// The order of an epoch without its first `offset` samples.
  std::shared_ptr<const EpochIndices> computeEpoch(const EpochIndices::Begin& begin,
                                                   std::uint64_t offset = 0);
  void beginGrowing(std::uint64_t startBatch) MILLRACE_REQUIRES(m_mutex);
  void setSizes(const EpochIndices& first) MILLRACE_REQUIRES(m_mutex);
  Status refusalOf(const EpochIndices& first) const MILLRACE_REQUIRES(m_mutex);
  void growEpoch() MILLRACE_REQUIRES(m_mutex);
  void appendEpoch() MILLRACE_REQUIRES(m_mutex);
  void dropOldEpochs() MILLRACE_REQUIRES(m_mutex);
  void applyLimits(const EpochIndices& epoch) MILLRACE_REQUIRES(m_mutex);
  /// Whether `find` searches for a ticket or for a batch number.
  struct Span {
    const std::uint64_t EpochIndices::* first;
    std::uint64_t (EpochIndices::*end)() const;
    bool holds(const EpochIndices& epoch, std::uint64_t number) const {
      return number >= epoch.*first && number < (epoch.*end)();
    }
  };
  const EpochIndices* find(std::uint64_t number, const Span& span,
                           const std::atomic<std::uint64_t>& limit,
                           std::shared_ptr<const EpochIndices>& cached);
  std::shared_ptr<const EpochIndices> findLocked(std::uint64_t number, const Span& span,
                                                 const std::atomic<std::uint64_t>& limit)
      MILLRACE_REQUIRES(m_mutex);

  // Constant after construction.
  const Plan& m_plan;
  const OrderLimits m_limits;
  const bool m_noRandom;
  std::vector<std::shared_ptr<const IndexTransform>> m_ops;
  std::uint64_t m_outstanding = 0;
  std::uint64_t m_firstTicket = 0;
  std::function<void(const EpochIndices&)> m_onEpoch;

  // Lock-free.
  std::atomic<std::uint64_t> m_nextTicket{0};
  std::atomic<std::uint64_t> m_nextBatch{0};
  std::atomic<std::uint64_t> m_limitTicket{UINT64_MAX};
  std::atomic<std::uint64_t> m_limitBatch{UINT64_MAX};
  std::atomic<std::uint64_t> m_orderNs{0};
  std::atomic<std::uint64_t> m_computedTicket{0};  ///< end of the newest epoch, once there are two

  mutable Mutex m_mutex;
  std::uint64_t m_epochSamples MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< of a whole epoch; 0: unknown
  std::uint64_t m_startSamples MILLRACE_GUARDED_BY(m_mutex) =
      0;  ///< of the start epoch; 0: unknown
  /// Extends the newest epoch; nullptr when complete.
  std::unique_ptr<GrowingEpoch> m_growing MILLRACE_GUARDED_BY(m_mutex);
  /// The newest epochs. Older ones live as long as a worker holds them.
  std::deque<std::shared_ptr<const EpochIndices>> m_epochs MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
