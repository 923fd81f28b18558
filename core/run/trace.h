// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/consumer.h"

namespace millrace {

/// What a thread of the engine did for a while.
struct TraceSpan {
  enum class Kind : std::uint8_t {
    Node,          ///< `node` worked on sample `item`, or on batch `item` when it acts on batches
    Row,           ///< sample `item` went into its row of the batch
    Batch,         ///< batch `item` was finished, or a later stage worked on it
    WaitForSlot,   ///< no slot was free for batch `item`: the stages behind were slower
    WaitForBatch,  ///< batch `item` was not there yet: the stages in front were slower
    Copy,          ///< batch `item` was copied to a device, by the device's events
    Device,        ///< `node` worked on batch `item` on a device, by the device's events
    Step,          ///< the consumer `node` had a device do `part` with batch `item`, likewise
  };
  Kind kind = Kind::Node;
  std::uint32_t node = 0;     ///< index in the pipeline; 0 for waits, rows, batches and copies
  std::uint64_t item = 0;     ///< index in the source, or number of the batch since the run began
  std::uint64_t beginNs = 0;  ///< steady clock
  std::uint64_t endNs = 0;
  StepWork part = StepWork::Forward;  ///< of a Step
};

/// The spans of one thread, up to a number fixed in advance: what comes later is counted alone, so
/// that a long run takes no memory for it. Its owner writes; read once the owner was joined.
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

/// What every thread did in one repeat, warm-up included.
struct RunTrace {
  struct Thread {
    /// The thread's own: stage, and its number where there are several; of a device's stream no
    /// stage's.
    std::string name;
    std::vector<TraceSpan> spans;
    std::uint64_t dropped = 0;  ///< spans that came when `spans` was full
  };
  std::vector<Thread> threads;
  std::uint64_t beginNs = 0;     ///< of the repeat, on the clock of the spans
  std::uint64_t measuredNs = 0;  ///< where the measured span began; 0: it never did
  std::uint64_t endNs = 0;
};

}  // namespace millrace
