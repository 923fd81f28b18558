// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/convert/sample_maker.h"

namespace millrace {

/// Threads that make samples, delivered in the source's order. Thread-safe.
class OrderedMaking {
 public:
  /// Starts at once with samples `first` to `end` (exclusive). `plan` must outlive this object.
  OrderedMaking(const MakePlan& plan, std::uint32_t first, std::uint32_t end, unsigned workers);
  ~OrderedMaking();
  OrderedMaking(const OrderedMaking&) = delete;
  OrderedMaking& operator=(const OrderedMaking&) = delete;

  using Made = Result<SampleMaker::Made>;
  /// The next sample; nullopt if it was not finished within 0.2 s. Throws what a thread has thrown:
  /// there is not enough memory.
  std::optional<Made> next();

 private:
  void runWorker(unsigned worker);
  void work(unsigned worker);

  const MakePlan& m_plan;
  const std::uint32_t m_end;

  Mutex m_mutex;
  Condition m_changed;
  std::vector<std::optional<Made>> m_slots MILLRACE_GUARDED_BY(m_mutex);  ///< by index
  std::uint32_t m_begun MILLRACE_GUARDED_BY(m_mutex);
  std::uint32_t m_taken MILLRACE_GUARDED_BY(m_mutex);
  bool m_stop MILLRACE_GUARDED_BY(m_mutex) = false;
  std::exception_ptr m_thrown MILLRACE_GUARDED_BY(m_mutex);

  std::vector<std::thread> m_threads;
};

}  // namespace millrace
