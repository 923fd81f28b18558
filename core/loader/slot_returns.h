// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/cuda/device.h"
#include "core/run/batch_slot.h"

namespace millrace {

/// Slots that the program has returned while its GPU work may still read them. An event recorded
/// after that work shows when the engine may reuse a slot. If recording or querying an event fails,
/// it is retried at every poll; after `kPatience` the whole device is synchronised. Thread-safe;
/// calls do not block one another.
class SlotReturns {
 public:
  /// Receives the slots. Called on the thread that calls `collect`.
  struct Engine {
    std::function<void(BatchSlot&)> release;
    /// It cannot be determined when a slot is free: the slot is never reused, and the run ends.
    std::function<void(const Error&)> fail;
  };
  static constexpr std::chrono::seconds kPatience{5};

  /// `clock` and everything that `engine` refers to must outlive this object.
  SlotReturns(Engine engine, const Clock& clock) : m_engine(std::move(engine)), m_clock(clock) {}
  /// Waits for the program's work, because the memory is freed next.
  ~SlotReturns();
  SlotReturns(const SlotReturns&) = delete;
  SlotReturns& operator=(const SlotReturns&) = delete;

  /// Releases the slot once the work enqueued on `streams` until now is done; `streams` must not be
  /// empty. Any thread.
  void add(BatchSlot& slot, std::span<const ProgramStream> streams);
  /// Passes the slots that are free by now to the engine; returns whether others remain. One thread
  /// at a time. Blocks only when `kPatience` is exceeded.
  bool collect();

 private:
  /// A stream that reads a slot.
  struct Reader {
    ProgramStream on;
    std::unique_ptr<Event> mark;  ///< nullptr: not recorded yet
                                  /// Since when recording or querying the event has been failing.
    std::optional<SteadyTime> failingSince;
    bool done = false;
  };
  struct Returned {
    BatchSlot* slot = nullptr;
    std::vector<Reader> readers;
  };

  void mark(Reader& reader) MILLRACE_REQUIRES(m_mutex);
  void poll(Reader& reader) MILLRACE_REQUIRES(m_mutex);
  bool pollDone(Returned& returned) MILLRACE_REQUIRES(m_mutex);
  bool isOverdue(const Returned& returned) const;
  /// Moves finished and overdue slots out of the list.
  void sort(std::vector<BatchSlot*>& done, std::vector<Returned>& overdue);
  void settle(Returned& returned);

  const Engine m_engine;
  const Clock& m_clock;
  Mutex m_mutex;
  /// Reusable events by device, which they keep alive.
  std::map<std::shared_ptr<Device>, std::vector<std::unique_ptr<Event>>> m_spare
      MILLRACE_GUARDED_BY(m_mutex);
  std::vector<Returned> m_returned MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
