// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/measure/batch_dump.h"
#include "core/measure/run_observer.h"

namespace millrace {

/// Writes the first batches of the first repeat (`--dump`), and remembers any error.
class DumpObserver final : public RunObserver {
 public:
  explicit DumpObserver(BatchDump dump) : m_dump(std::move(dump)) {}

  void onPhase(const RunPhase& phase) override { m_measuring = !phase.warmup; }
  void onBatch(std::size_t repeat, const Batch& batch) override {
    if (repeat > 0 || m_error || m_dump.full()) return;
    if (m_measuring) ++m_measured;
    if (Status written = m_dump.write(batch); !written) m_error = written.error();
  }
  const std::optional<Error>& error() const { return m_error; }
  /// Batches that were written during the measured span, which makes its rate lower: those of a run
  /// without a warm-up.
  std::uint64_t measured() const { return m_measured; }

 private:
  BatchDump m_dump;
  std::optional<Error> m_error;
  std::uint64_t m_measured = 0;
  std::atomic<bool> m_measuring = false;  ///< set by the thread that reports phases
};

}  // namespace millrace
