// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/graph/plan.h"
#include "core/run/order_cursor.h"
#include "core/run/run_totals.h"
#include "core/run/thread_counters.h"
#include "core/spec/sample_cache.h"
#include "core/spec/source.h"

namespace millrace {

class CacheSet;

/// Reads samples before workers ask for them, by threads of its own in the order of the run, so
/// that many reads are under way at once, whatever the number of workers. A ticket is a place in
/// that order (OrderCursor). What was read lies in a slot, with the reader that lends it, until the
/// worker that took it gives it back; so does an error, which is that sample's. Nobody waits for
/// more than a read that is under way: a worker whose sample no thread has begun reads it itself.
/// Monitor.
class ReadAhead {
 public:
  /// Memory of the samples that are kept, and of their readers, at most. Those that are being read
  /// are taken to be as large as the others are in the mean; until the first is there, it is read
  /// alone.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

  /// What was read of a sample. `status` and `sample` are the worker's that took it; the rest is
  /// ReadAhead's own.
  struct Slot {
    Status status;
    Sample sample;  ///< the source's fields

    std::unique_ptr<SourceReader> reader;
    std::uint64_t bytes = 0;  ///< that its memory has grown to
    bool sized = false;       ///< `bytes` is known
    bool done = false;        ///< the thread that reads into it is done with it
    bool unread = false;      ///< by leaving the sample to the worker
    bool unwanted = false;    ///< nobody will ask for it
    Condition changed;
  };
  struct GiveBack {
    ReadAhead* ahead = nullptr;
    void operator()(Slot* slot) const { ahead->giveBack(*slot); }
  };
  using Loan = std::unique_ptr<Slot, GiveBack>;

  /// For a plan that reads ahead. Samples that one of the `caches` of the workers holds are left
  /// out. All must outlive this, and so must this the workers.
  ReadAhead(const Plan& plan, const CacheSet& caches, OrderCursor& cursor,
            std::uint64_t mostBytes = kMostBytes);
  ~ReadAhead();

  /// Starts the threads. Once.
  Status start();
  /// Reads no more and lets nobody wait.
  void cancel();
  /// The same, and the threads have ended: after at most the reads that are under way.
  void stop();

  /// What was read of the sample at `ticket`, waiting for it where that is under way; nothing: the
  /// caller reads it itself. Once a ticket.
  Loan take(std::uint64_t ticket);
  /// Instead of `take`: the caller has the sample already.
  void pass(std::uint64_t ticket);

  /// Adds what its threads read, and their CPU time to that of the first stage.
  void addTo(RunTotals& totals) const;

 private:
  static constexpr std::uint64_t kNoTicket = UINT64_MAX;
  /// Who has a ticket: a thread that reads it into a slot, or else its worker.
  struct Entry {
    std::uint64_t ticket = kNoTicket;
    Slot* slot = nullptr;
  };
  struct Claim {
    std::uint64_t ticket = 0;
    Slot* slot = nullptr;
  };

  void threadLoop(std::size_t thread);
  std::optional<Claim> claim();
  /// False: the sample is left to its worker.
  bool read(const SampleKey& key, Slot& slot, ReadCounters& counters) const;
  bool isCached(std::uint32_t index) const;
  void finish(Slot& slot, bool isRead);
  void end();
  void giveBack(Slot& slot);

  bool hasFreeSlot() const MILLRACE_REQUIRES(m_mutex);
  Slot& freeSlot() MILLRACE_REQUIRES(m_mutex);
  void putBack(Slot& slot) MILLRACE_REQUIRES(m_mutex);
  void wakeOne() MILLRACE_REQUIRES(m_mutex);
  Slot* claimForWorker(std::uint64_t ticket) MILLRACE_REQUIRES(m_mutex);
  Entry& entryOf(std::uint64_t ticket) MILLRACE_REQUIRES(m_mutex) {
    return m_entries[ticket & (m_entries.size() - 1)];
  }

  // Constant after construction.
  const Source& m_source;
  const std::string m_name;  ///< of the threads
  const std::size_t m_fields;
  const std::uint64_t m_mostBytes;
  const std::uint64_t m_spread;   ///< tickets this far behind one that was asked for are over
  const std::size_t m_wakeBelow;  ///< threads are woken when fewer samples are ready
  std::vector<SampleCache*> m_caches;
  OrderCursor& m_cursor;
  std::vector<std::unique_ptr<ThreadCounters>> m_counters;  ///< one a thread
  std::vector<std::unique_ptr<Slot>> m_slots;

  // The thread that starts and stops it.
  std::vector<std::thread> m_threads;

  mutable Mutex m_mutex;
  Condition m_slotFreed;
  bool m_ended MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the order has no more
  bool m_cancelled MILLRACE_GUARDED_BY(m_mutex) = false;
  std::uint64_t m_next MILLRACE_GUARDED_BY(m_mutex);          ///< ticket that is read next
  std::vector<Entry> m_entries MILLRACE_GUARDED_BY(m_mutex);  ///< by ticket, modulo its size
  /// Free slots: those that have memory, which go first, and those that have none yet.
  std::vector<Slot*> m_grown MILLRACE_GUARDED_BY(m_mutex);
  std::vector<Slot*> m_empty MILLRACE_GUARDED_BY(m_mutex);
  std::size_t m_sized MILLRACE_GUARDED_BY(m_mutex) = 0;    ///< slots whose bytes are known
  std::uint64_t m_bytes MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< of all slots
  std::size_t m_ready MILLRACE_GUARDED_BY(m_mutex) = 0;    ///< slots that wait for their worker
};

}  // namespace millrace
