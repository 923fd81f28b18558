// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/span_meter.h"

#include <cmath>

namespace millrace {

SpanMeter::SpanMeter(const Limits& limits, SteadyTime start)
    : m_limits(limits), m_start(start), m_begin(start), m_last(start), m_windowBegin(start) {
  m_measuring = limits.warmupSeconds <= 0 && limits.warmupBatches == 0;
}

bool SpanMeter::warmupOver(SteadyTime at) const {
  return toSeconds(at - m_start) >= m_limits.warmupSeconds && m_warmed >= m_limits.warmupBatches;
}

bool SpanMeter::spanOver(SteadyTime at) const {
  if (m_limits.batches && m_batches >= *m_limits.batches) return true;
  return m_limits.seconds && toSeconds(at - m_begin) >= *m_limits.seconds;
}

/// A window ends with the first arrival at or after each whole second of the span.
bool SpanMeter::closeWindow(SteadyTime at) {
  const double edge = std::floor(toSeconds(m_windowBegin - m_begin)) + 1;
  if (toSeconds(at - m_begin) < edge) return false;
  m_window.startSeconds = toSeconds(m_windowBegin - m_begin);
  m_window.seconds = toSeconds(at - m_windowBegin);
  m_windows.push_back(m_window);
  m_window = {};
  m_windowBegin = at;
  return true;
}

SpanMeter::Event SpanMeter::arrived(SteadyTime at, std::uint64_t rows, std::uint64_t batches) {
  if (!m_measuring) {
    m_warmed += batches;
    if (!warmupOver(at)) return Event::Warming;
    m_measuring = true;
    m_begin = m_last = m_windowBegin = at;
    return Event::Began;
  }
  m_batches += batches;
  m_samples += rows;
  m_window.batches += batches;
  m_window.samples += rows;
  m_last = at;
  const bool closed = closeWindow(at);
  if (spanOver(at)) return Event::Ended;
  return closed ? Event::Window : Event::Counted;
}

}  // namespace millrace
