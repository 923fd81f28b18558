// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/events/trace/trace_writer.h"
#include "core/measure/run_observer.h"

namespace millrace {

/// Writes what every thread of the run did (`--trace`).
class TraceObserver final : public RunObserver {
 public:
  /// 8 MB of memory per thread, about 25 MB of file: half a minute of photos, less of tiny samples.
  static constexpr std::size_t kSpansPerThread = 200'000;

  TraceObserver(const Plan& plan, TraceWriter writer) : m_plan(plan), m_writer(std::move(writer)) {}

  void onTrace(std::size_t repeat, const RunTrace& trace) override {
    m_writer.add(m_plan, repeat, trace);
  }
  Status finish() { return m_writer.finish(); }
  const TraceSummary& summary() const { return m_writer.summary(); }

 private:
  const Plan& m_plan;
  TraceWriter m_writer;
};

}  // namespace millrace
