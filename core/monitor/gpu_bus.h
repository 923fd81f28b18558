// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/clock.h"
#include "core/monitor/gpu_answers.h"

namespace millrace {

/// Bytes per second; absent where they cannot be told.
struct GpuBusRates {
  std::optional<double> received;     ///< to the GPU
  std::optional<double> transmitted;  ///< from the GPU
};

/// The traffic of a card's bus: by its byte counters where it has them (Hopper on), else by a
/// function that waits 20 ms a call. Counters may be 32 bits wide and begin anew at 4 GiB ("Value
/// can be wrapped" in nvml.h), which a fast link does within a tenth of a second: a span in which
/// it could have done so twice is not told. One thread.
class GpuBus {
 public:
  /// All three outlive it.
  GpuBus(const GpuLibrary& library, nvml::Device card, GpuAnswers& answers)
      : m_f(library.functions()), m_card(card), m_answers(answers) {}

  /// Since the last call.
  GpuBusRates rates(SteadyTime now);
  /// Whether `look` must be called between two calls of `rates` that are `period` apart.
  bool needsLook(std::chrono::nanoseconds period) const;
  void look(SteadyTime now);

 private:
  struct Reading {
    SteadyTime at;
    std::uint64_t received = 0;
    std::uint64_t transmitted = 0;
  };
  /// Bytes since the last `rates`; absent: not known.
  struct Moved {
    std::optional<std::uint64_t> received = 0;
    std::optional<std::uint64_t> transmitted = 0;
  };

  bool readCounters(Reading& reading);
  bool failed();
  void learnLink();
  std::optional<std::uint64_t> difference(std::uint64_t earlier, std::uint64_t later,
                                          double seconds) const;
  GpuBusRates counted(SteadyTime now);
  GpuBusRates measured();

  const nvml::Functions& m_f;
  nvml::Device m_card;
  GpuAnswers& m_answers;

  std::optional<double> m_linkRate;  ///< the most that the link carries, bytes per second
  bool m_wide = false;               ///< a counter was beyond 32 bits
  std::optional<Reading> m_last;
  SteadyTime m_since;  ///< where m_moved begins
  Moved m_moved;
  unsigned m_failures = 0;  ///< readings in a row
  unsigned m_untold = 0;    ///< spans in a row that the link was too fast for
  GpuBusRates m_measured;
  bool m_measuresReceived = false;
};

}  // namespace millrace
