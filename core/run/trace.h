// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/consumer.h"

namespace millrace {

/// One activity of a thread of the engine.
struct TraceSpan {
  enum class Kind : std::uint8_t {
    Node,          ///< `node` worked on sample `item`, or on batch `item` when it acts on batches
    Row,           ///< sample `item` went into its row of batch number `node`
    Batch,         ///< batch `item` was finished, or a later stage worked on it
    WaitForSlot,   ///< no slot was free for batch `item`: downstream was slower
    WaitForBatch,  ///< batch `item` was not ready yet: upstream was slower
    Copy,          ///< batch `item` was copied to a device, timed by its events
    Device,        ///< `node` worked on batch `item` on a device, timed by its events
    Step,          ///< `part` of the consumer `node`'s work on batch `item` on a device
  };
  Kind kind = Kind::Node;
  std::uint32_t node = 0;     ///< index in the pipeline; a row's batch; 0: waits, batches, copies
  std::uint64_t item = 0;     ///< index in the source, or number of the batch since the run began
  std::uint64_t beginNs = 0;  ///< steady clock
  std::uint64_t endNs = 0;
  StepWork part = StepWork::Forward;  ///< for Kind::Step
};

/// The spans of one thread, up to a fixed number. Later spans are only counted, so that memory
/// stays bounded in a long run. Its owner writes; read it after the owner was joined.
class ThreadTrace {
 public:
  explicit ThreadTrace(std::size_t capacity) : m_capacity(capacity) { m_spans.reserve(capacity); }

  void add(const TraceSpan& span) {
    if (m_spans.size() < m_capacity)
      m_spans.push_back(span);
    else
      ++m_dropped;
  }
  std::vector<TraceSpan> takeSpans() { return std::move(m_spans); }
  std::uint64_t dropped() const { return m_dropped; }

 private:
  const std::size_t m_capacity;
  std::vector<TraceSpan> m_spans;
  std::uint64_t m_dropped = 0;
};

/// What every thread did in one repeat, including warm-up.
struct RunTrace {
  struct Thread {
    /// Stage, with the thread's number if there are several. For a stream of a device: ":copy" or
    /// ":work" is appended.
    std::string name;
    std::vector<TraceSpan> spans;
    std::uint64_t dropped = 0;  ///< spans lost because `spans` was full
  };
  std::vector<Thread> threads;
  std::uint64_t beginNs = 0;     ///< start of the repeat, on the same clock as the spans
  std::uint64_t measuredNs = 0;  ///< start of the measured span; 0 if it was not reached
  std::uint64_t endNs = 0;
};

}  // namespace millrace
