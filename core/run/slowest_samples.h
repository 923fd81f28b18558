// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/mutex.h"

namespace millrace {

/// One sample on its way through the operations of a thread, timed from the beginning of its read
/// to its row in the batch.
struct TimedSample {
  std::uint32_t index = 0;  ///< in the source
  std::uint64_t ns = 0;
  std::uint64_t bytes = 0;   ///< as read from the source
  std::size_t node = 0;      ///< the node that took the longest, by its index in the pipeline
  std::uint64_t nodeNs = 0;  ///< time of that node
  /// The counter that this node raised, such as "JPEG by libjpeg"; empty if none. Valid as long as
  /// the counters of the thread.
  std::string_view route = {};
};

/// The slowest samples of one thread since `begin`, out of those that are timed. The thread itself
/// calls `isSlow` and `keep`; any thread may call the others. `isSlow` takes no lock.
class SlowestSamples {
 public:
  static constexpr std::size_t kKept = 100;

  SlowestSamples();
  /// Forgets what was kept.
  void begin();
  /// Counts a timed sample. Whether it belongs to the slowest so far and should be kept.
  bool isSlow(std::uint64_t ns);
  void keep(const TimedSample& sample);

  struct List {
    std::vector<TimedSample> samples;  ///< the slowest first
    std::uint64_t timed = 0;           ///< samples that were timed
    std::uint64_t timedNs = 0;         ///< their time
    /// Adds those of another thread; the slowest kKept of both stay.
    void add(const List& other);
  };
  List list() const;

 private:
  void renew() MILLRACE_REQUIRES(m_mutex);

  std::atomic<std::uint64_t> m_span{0};     ///< number of calls of `begin`
  std::atomic<std::uint64_t> m_ofSpan{0};   ///< the span that everything below belongs to
  std::atomic<std::uint64_t> m_leastNs{0};  ///< a slower sample is kept
  std::atomic<std::uint64_t> m_timed{0};
  std::atomic<std::uint64_t> m_timedNs{0};

  mutable Mutex m_mutex;
  std::vector<TimedSample> m_kept MILLRACE_GUARDED_BY(m_mutex);  ///< heap, the fastest first
};

}  // namespace millrace
