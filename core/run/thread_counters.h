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

#include "core/base/clock.h"
#include "core/metrics/counters.h"
#include "core/run/slowest_samples.h"
#include "core/run/trace.h"
#include "core/spec/named_counters.h"
#include "core/spec/source.h"

namespace millrace {

/// Counters of one thread of the engine. Its owner writes, any thread reads.
struct ThreadCounters {
  ThreadCounters(std::string stageId, std::size_t nodes)
      : stage(std::move(stageId)),
        node(std::make_unique<NodeCounters[]>(nodes)),
        namedCounters(nodes) {}

  // Constant after construction.
  const std::string stage;
  const std::unique_ptr<NodeCounters[]> node;  ///< by index in the pipeline

  ReadCounters reads;
  Counter samples;  ///< finished, including failed ones
  Counter timedSamples;
  Counter timedSampleNs;   ///< total time of the timed samples, including time between nodes
  SlowestSamples slowest;  ///< of a thread that reads samples from the source
  /// By index in the pipeline; nullptr for nodes without counters beyond the common ones. Set
  /// before the thread starts.
  std::vector<std::unique_ptr<NamedCounters>> namedCounters;
  /// Set before the thread starts if the run is traced; then every sample is timed.
  std::unique_ptr<ThreadTrace> trace;
  /// The same for the two streams of a stage that moves batches to a device. A consumer that works
  /// on a device has workTrace only.
  std::unique_ptr<ThreadTrace> copyTrace;
  std::unique_ptr<ThreadTrace> workTrace;

  /// Records what the thread did from `beginNs` to `endNs`, if the run is traced.
  void traced(TraceSpan::Kind kind, std::size_t ofNode, std::uint64_t item, std::uint64_t beginNs,
              std::uint64_t endNs) {
    if (trace) trace->add({kind, static_cast<std::uint32_t>(ofNode), item, beginNs, endNs});
  }

  /// Called by the thread itself, at its start and at its end.
  void enter();
  void leave();
  /// CPU time of the thread so far, in nanoseconds, with that of processes that worked for it
  /// (core/base/helper_cpu.h); valid after its end too. Any thread.
  std::uint64_t cpuNs() const;
  /// Kernel id of the thread, 0 before it starts.
  pid_t id() const { return m_id.load(std::memory_order_acquire); }

 private:
  std::atomic<pid_t> m_id{0};
  std::atomic<bool> m_alive{false};
  std::atomic<std::uint64_t> m_cpuAtEnter{0};
  std::atomic<std::uint64_t> m_finalCpuNs{0};
  std::atomic<std::uint64_t> m_helperCpuNs{0};
  clockid_t m_clock{};  ///< set before m_alive
};

/// Decides which samples are timed, so that reading the clock costs less than 0.5 %
/// (docs/reference/figures.md). One thread.
class TimingSampler {
 public:
  /// `readings`: how many clock readings a timed sample needs.
  explicit TimingSampler(std::size_t readings) : m_readings(readings) {}
  bool next() { return ++m_count >= m_every; }
  /// To be called after a timed sample that took `ns` nanoseconds.
  void took(std::uint64_t ns);

 private:
  std::size_t m_readings;
  std::uint64_t m_count = 0;
  std::uint64_t m_every = 1;
  double m_meanNs = 0;
};

}  // namespace millrace
