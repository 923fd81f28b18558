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
#include "core/run/index_sampler.h"
#include "core/run/reads_in_flight.h"
#include "core/run/run_totals.h"
#include "core/run/thread_counters.h"
#include "core/spec/sample_cache.h"
#include "core/spec/source.h"

namespace millrace {

class CacheSet;

/// Reads samples before the workers ask for them, on its own threads and in the order of the run.
/// So many reads can be in progress at once, whatever the number of workers. Samples are identified
/// by their ticket (IndexSampler). What was read stays in a slot, together with the reader that
/// owns its memory, until the worker gives the slot back; a read error is kept there too and
/// belongs to that sample. A worker waits only for a read that is in progress: a sample that no
/// thread has started it reads itself. Of data at a server, threads are added while the run goes
/// on, until there are enough reads in flight. Thread-safe (monitor).
class ReadAhead {
 public:
  /// Limit for the memory of all slots and their readers. A slot whose size is not known yet counts
  /// as the mean of the others; the first sample is read alone, to get a first size.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

  /// One sample that was read. The worker that took the slot may use `status` and `sample`; the
  /// other members belong to ReadAhead.
  struct Slot {
    Status status;
    Sample sample;  ///< the source's fields

    std::unique_ptr<SourceReader> reader;
    std::uint64_t bytes = 0;  ///< largest memory use of the slot so far
    bool sized = false;       ///< `bytes` is known
    bool done = false;        ///< the read has ended
    bool unread = false;      ///< the sample was skipped; its worker reads it
    bool unwanted = false;    ///< no worker will ask for it
    Condition changed;
  };
  struct GiveBack {
    ReadAhead* ahead = nullptr;
    void operator()(Slot* slot) const { ahead->giveBack(*slot); }
  };
  using Loan = std::unique_ptr<Slot, GiveBack>;

  /// For a plan that reads ahead. Samples that are in one of `caches` are skipped. Everything
  /// passed in must outlive this object, and this object must outlive the workers.
  ReadAhead(const Plan& plan, const CacheSet& caches, IndexSampler& sampler,
            std::uint64_t mostBytes = kMostBytes);
  ~ReadAhead();

  /// Starts the threads, once, or the first of them. The error says how many threads the system
  /// allowed.
  Status start();
  /// Starts no more reads and wakes every waiting thread.
  void cancel();
  /// Cancels and joins the threads; waits for the reads in progress.
  void stop();

  /// The sample at `ticket`, after waiting for its read if that is in progress. nullptr: the caller
  /// must read it. Call it once for each ticket.
  Loan take(std::uint64_t ticket);
  /// Instead of `take`, if the caller already has the sample.
  void pass(std::uint64_t ticket);

  /// Adds what the threads read to `totals`, and their CPU time to the first stage.
  void addTo(RunTotals& totals) const;

 private:
  static constexpr std::uint64_t kNoTicket = UINT64_MAX;
  /// Owner of a ticket: the thread that reads it into `slot`, or its worker if `slot` is nullptr.
  struct Entry {
    std::uint64_t ticket = kNoTicket;
    Slot* slot = nullptr;
  };
  struct Claim {
    std::uint64_t ticket = 0;
    Slot* slot = nullptr;
  };

  void threadLoop(std::size_t thread, ThreadCounters& counters);
  Status addThread() MILLRACE_REQUIRES(m_mutex);
  void grow(std::chrono::nanoseconds waited, SteadyTime now) MILLRACE_REQUIRES(m_mutex);
  std::optional<Claim> claim();
  /// False if the sample is left to its worker.
  bool read(const SampleKey& key, Slot& slot, ReadCounters& counters) const;
  bool isCached(std::uint32_t index) const;
  void finish(Slot& slot, bool isRead, std::chrono::nanoseconds latency = {});
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
  const std::string m_name;  ///< node id, also the name of the threads
  const std::size_t m_fields;
  const std::uint64_t m_mostBytes;
  const std::uint64_t
      m_spread;  ///< a ticket this much older than a requested one is no longer needed
  const std::size_t m_wakeBelow;  ///< threads are woken while fewer samples are ready
  std::vector<SampleCache*> m_caches;
  IndexSampler& m_sampler;
  std::vector<std::unique_ptr<Slot>> m_slots;
  const bool m_grows;
  const std::size_t m_workers;

  mutable Mutex m_mutex;
  std::vector<std::thread> m_threads MILLRACE_GUARDED_BY(m_mutex);
  /// One for each thread.
  std::vector<std::unique_ptr<ThreadCounters>> m_counters MILLRACE_GUARDED_BY(m_mutex);
  ReadsInFlight m_inFlight MILLRACE_GUARDED_BY(m_mutex);
  Condition m_slotFreed;
  bool m_ended MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the run's order has ended
  bool m_cancelled MILLRACE_GUARDED_BY(m_mutex) = false;
  std::uint64_t m_next MILLRACE_GUARDED_BY(m_mutex);          ///< next ticket to read
  std::vector<Entry> m_entries MILLRACE_GUARDED_BY(m_mutex);  ///< indexed by ticket modulo the size
  /// Free slots that own memory (used first), and free slots without memory.
  std::vector<Slot*> m_grown MILLRACE_GUARDED_BY(m_mutex);
  std::vector<Slot*> m_empty MILLRACE_GUARDED_BY(m_mutex);
  std::size_t m_sized MILLRACE_GUARDED_BY(m_mutex) = 0;    ///< slots of known size
  std::uint64_t m_bytes MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< sum over all slots
  std::size_t m_ready MILLRACE_GUARDED_BY(m_mutex) = 0;    ///< slots read and not yet taken
};

}  // namespace millrace
