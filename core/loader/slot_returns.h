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

/// Slots that a program has given back while its own work on a GPU may still read them. An event
/// behind that work says when the engine may have them. A stream that cannot be marked, and an
/// event that cannot be asked, are tried again at each look; after `kPatience` the whole device is
/// waited for. Monitor; no call blocks another.
class SlotReturns {
 public:
  /// What becomes of the slots. Called on the thread of `collect`.
  struct Engine {
    std::function<void(BatchSlot&)> release;
    /// Nobody can say any more when a slot may be used again: it never is, and the run ends.
    std::function<void(const Error&)> fail;
  };
  static constexpr std::chrono::seconds kPatience{5};

  /// `clock` outlives it, and so does what `engine` refers to.
  SlotReturns(Engine engine, const Clock& clock) : m_engine(std::move(engine)), m_clock(clock) {}
  /// Waits for the program's work: the memory goes next.
  ~SlotReturns();
  SlotReturns(const SlotReturns&) = delete;
  SlotReturns& operator=(const SlotReturns&) = delete;

  /// Gives the slot back once what is on `streams`, of which there is one at least, by now is done.
  /// Any thread.
  void add(BatchSlot& slot, std::span<const ProgramStream> streams);
  /// Gives the engine what it may have by now; whether some are left. One thread at a time. Blocks
  /// only where `kPatience` is at an end.
  bool collect();

 private:
  /// A stream that reads a slot.
  struct Reader {
    ProgramStream on;
    std::unique_ptr<Event> mark;  ///< nullptr: there is none yet
    /// Since when it cannot be marked or its mark not be asked.
    std::optional<SteadyTime> troubledSince;
    bool done = false;
  };
  struct Returned {
    BatchSlot* slot = nullptr;
    std::vector<Reader> readers;
  };

  void mark(Reader& reader) MILLRACE_REQUIRES(m_mutex);
  void look(Reader& reader) MILLRACE_REQUIRES(m_mutex);
  bool lookedDone(Returned& returned) MILLRACE_REQUIRES(m_mutex);
  bool isOverdue(const Returned& returned) const;
  /// Takes out what is done, and what is overdue.
  void sort(std::vector<BatchSlot*>& done, std::vector<Returned>& overdue);
  void settle(Returned& returned);

  const Engine m_engine;
  const Clock& m_clock;
  Mutex m_mutex;
  /// By their device, which lives as long.
  std::map<std::shared_ptr<Device>, std::vector<std::unique_ptr<Event>>> m_spare
      MILLRACE_GUARDED_BY(m_mutex);
  std::vector<Returned> m_returned MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
