// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/mutex.h"
#include "core/cuda/device.h"
#include "core/run/executor.h"

namespace millrace {

/// Slots that a program has given back while its own work on a GPU may still read them. An event
/// behind that work says when the engine may have them. Monitor.
class SlotReturns {
 public:
  /// `executor` outlives it.
  explicit SlotReturns(Executor& executor) : m_executor(executor) {}
  /// Waits for the program's work: the memory goes next.
  ~SlotReturns();
  SlotReturns(const SlotReturns&) = delete;
  SlotReturns& operator=(const SlotReturns&) = delete;

  /// Gives the slot back once what is on `streams` by now is done. Waits only for a stream that
  /// cannot be marked.
  void add(BatchSlot& slot, std::span<const std::shared_ptr<Stream>> streams);
  /// Gives the engine what it may have by now; whether some are left.
  bool collect();

 private:
  struct Returned {
    BatchSlot* slot = nullptr;
    std::vector<std::unique_ptr<Event>> done;
  };

  std::unique_ptr<Event> mark(Stream& stream) MILLRACE_REQUIRES(m_mutex);
  static bool isDone(const Returned& returned);

  Executor& m_executor;
  Mutex m_mutex;
  std::vector<Returned> m_returned MILLRACE_GUARDED_BY(m_mutex);
  std::vector<std::unique_ptr<Event>> m_spare MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
