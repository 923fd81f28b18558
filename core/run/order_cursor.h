// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/run/epoch_order.h"

namespace millrace {

class GrowingEpoch;

/// Where a run starts and ends. No limit set: endless.
struct OrderLimits {
  std::uint32_t startEpoch = 0;
  std::uint64_t startBatch = 0;  ///< within the start epoch
  std::optional<std::uint64_t> batches;
  std::optional<std::uint64_t> epochs;
};

/// Hands out the samples of a run in order, epoch after epoch, to many threads at once. Tickets are
/// numbers counted up without a lock; an epoch's order is computed once, by whoever needs it first
/// (CONTRACT §3: no batch crosses an epoch). While the source is still being listed, the first
/// epoch is: its order grows by whoever needs more of it.
class OrderCursor {
 public:
  ~OrderCursor();
  /// Computes the first epoch; the error says why there is nothing to run.
  static Result<std::unique_ptr<OrderCursor>> make(const Plan& plan, const OrderLimits& limits,
                                                   bool noRandom);

  /// A thread claims at most so many samples at a time.
  static constexpr std::uint64_t kMostClaimed = 64;
  /// The next `count` tickets of single samples: [result, result + count). Lock-free.
  std::uint64_t takeSamples(std::uint64_t count) {
    return m_nextTicket.fetch_add(count, std::memory_order_relaxed);
  }
  /// The number of the next whole batch. A run uses either samples or batches. Lock-free.
  std::uint64_t takeBatch() { return m_nextBatch.fetch_add(1, std::memory_order_relaxed); }

  /// The epoch that holds a ticket or batch; nullptr behind the end of the run. `cached` is what
  /// the caller got last, and makes the usual case lock-free.
  const EpochOrder* epochOfTicket(std::uint64_t ticket, std::shared_ptr<const EpochOrder>& cached);
  const EpochOrder* epochOfBatch(std::uint64_t batch, std::shared_ptr<const EpochOrder>& cached);

  /// Ends the run at the next batch boundary: batches begun are finished, none is begun anew.
  /// Gives the number of the first batch that will not be made. Any thread.
  std::uint64_t stop();
  /// Batch number of the run's end once it is known: no batch from it on is made.
  std::optional<std::uint64_t> end() const;
  /// Number of the run's first batch; others count from the start epoch's beginning.
  std::uint64_t firstBatch() const { return m_limits.startBatch; }
  /// Ticket of the run's first sample.
  std::uint64_t firstTicket() const {
    return m_limits.startBatch * static_cast<std::uint64_t>(m_plan.batch.size);
  }
  /// A ticket that was handed out and is still to be looked up is at most so far behind another.
  std::uint64_t mostOutstanding() const { return m_outstanding; }
  /// Of the first epoch. Lists the rest of the source first, where that is still to be done.
  std::uint64_t samplesPerEpoch();
  /// The same where it is known.
  std::optional<std::uint64_t> knownSamplesPerEpoch() const;
  /// Time spent on computing orders.
  std::uint64_t orderNs() const { return m_orderNs.load(std::memory_order_relaxed); }

 private:
  OrderCursor(const Plan& plan, const OrderLimits& limits, bool noRandom);
  std::vector<OrderContext> contextsOf(std::uint32_t epoch) const;
  std::shared_ptr<const EpochOrder> computeEpoch(const EpochOrder::Begin& begin);
  void beginGrowing(std::uint64_t startBatch) MILLRACE_REQUIRES(m_mutex);
  Status refusalOf(const EpochOrder& first) const;
  void growEpoch() MILLRACE_REQUIRES(m_mutex);
  void appendEpoch() MILLRACE_REQUIRES(m_mutex);
  void dropOldEpochs() MILLRACE_REQUIRES(m_mutex);
  void applyLimits(const EpochOrder& epoch) MILLRACE_REQUIRES(m_mutex);
  /// Which numbers of an epoch are looked for: tickets or batches.
  struct Span {
    const std::uint64_t EpochOrder::* first;
    std::uint64_t (EpochOrder::*end)() const;
    bool holds(const EpochOrder& epoch, std::uint64_t number) const {
      return number >= epoch.*first && number < (epoch.*end)();
    }
  };
  const EpochOrder* find(std::uint64_t number, const Span& span,
                         const std::atomic<std::uint64_t>& limit,
                         std::shared_ptr<const EpochOrder>& cached);
  std::shared_ptr<const EpochOrder> findLocked(std::uint64_t number, const Span& span,
                                               const std::atomic<std::uint64_t>& limit)
      MILLRACE_REQUIRES(m_mutex);

  // Constant after construction.
  const Plan& m_plan;
  const OrderLimits m_limits;
  const bool m_noRandom;
  std::vector<std::shared_ptr<const OrderOp>> m_ops;
  std::uint64_t m_outstanding = 0;

  // Lock-free.
  std::atomic<std::uint64_t> m_nextTicket{0};
  std::atomic<std::uint64_t> m_nextBatch{0};
  std::atomic<std::uint64_t> m_limitTicket{UINT64_MAX};
  std::atomic<std::uint64_t> m_limitBatch{UINT64_MAX};
  std::atomic<std::uint64_t> m_orderNs{0};

  mutable Mutex m_mutex;
  std::uint64_t m_firstSamples MILLRACE_GUARDED_BY(m_mutex) = 0;         ///< once they are known
  std::unique_ptr<GrowingEpoch> m_growing MILLRACE_GUARDED_BY(m_mutex);  ///< the newest epoch
  /// The last epochs; older ones live as long as a worker still holds them.
  std::deque<std::shared_ptr<const EpochOrder>> m_epochs MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
