// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "core/metrics/counters.h"
#include "core/run/trace.h"
#include "core/spec/source.h"
#include "core/spec/tally.h"

namespace millrace {

/// As traces and counters keep a time.
inline std::uint64_t nanosecondsOf(SteadyTime at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

/// What one thread of the engine counts. Its owner writes, any thread reads.
struct ThreadCounters {
  ThreadCounters(std::string stageId, std::size_t nodes)
      : stage(std::move(stageId)), node(std::make_unique<NodeCounters[]>(nodes)), tallies(nodes) {}

  // Constant after construction.
  const std::string stage;
  const std::unique_ptr<NodeCounters[]> node;  ///< by index in the pipeline

  ReadCounters reads;
  Counter samples;  ///< finished, failed ones included
  Counter timedSamples;
  Counter timedSampleNs;  ///< whole time of the timed samples, between nodes too
  /// By index in the pipeline; nullptr for nodes that count nothing of their own. Made before the
  /// thread starts.
  std::vector<std::unique_ptr<Tally>> tallies;
  /// Set before the thread starts when the run is traced: then every sample is timed.
  std::unique_ptr<ThreadTrace> trace;
  /// Likewise, for a stage that moves batches to a device: what its two streams did. A consumer
  /// that works on one has the latter.
  std::unique_ptr<ThreadTrace> copyTrace;
  std::unique_ptr<ThreadTrace> workTrace;

  /// Notes what the thread did until `endNs`, when the run is traced.
  void traced(TraceSpan::Kind kind, std::size_t node, std::uint64_t item, std::uint64_t beginNs,
              std::uint64_t endNs) {
    if (trace) trace->add({kind, static_cast<std::uint32_t>(node), item, beginNs, endNs});
  }

  /// Called by the thread itself, first and last.
  void enter();
  void leave();
  /// CPU time of the thread so far, also after it ended. Any thread.
  std::uint64_t cpuNs() const;
  /// Kernel id of the thread, 0 before it starts.
  pid_t id() const { return m_id.load(std::memory_order_acquire); }

 private:
  std::atomic<pid_t> m_id{0};
  std::atomic<bool> m_alive{false};
  std::atomic<std::uint64_t> m_cpuAtEnter{0};
  std::atomic<std::uint64_t> m_finalCpuNs{0};
  clockid_t m_clock{};  ///< set before m_alive
};

/// Decides which samples are timed: so few that reading the clock stays under 0.5 % (CONTRACT §7).
/// One thread.
class TimingSampler {
 public:
  /// `readings`: clock readings a timed sample costs.
  explicit TimingSampler(std::size_t readings) : m_readings(readings) {}
  bool next() { return ++m_count >= m_every; }
  /// After a timed sample that took `ns`.
  void took(std::uint64_t ns);

 private:
  std::size_t m_readings;
  std::uint64_t m_count = 0;
  std::uint64_t m_every = 1;
  double m_meanNs = 0;
};

}  // namespace millrace
