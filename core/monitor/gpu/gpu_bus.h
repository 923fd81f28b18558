// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/clock.h"
#include "core/monitor/gpu/gpu_answers.h"

namespace millrace {

/// Rates in bytes per second; absent if not known.
struct GpuBusRates {
  std::optional<double> received;     ///< to the GPU
  std::optional<double> transmitted;  ///< from the GPU
};

/// Traffic of a card's bus. Uses byte counters if the card has them (from Hopper on), else a
/// function that waits 20 ms for each call. Counters may have 32 bits and wrap at 4 GiB ("Value can
/// be wrapped" in nvml.h), which a fast link does within a tenth of a second. If a counter may have
/// wrapped twice between readings, the rate is absent. One thread.
class GpuBus {
 public:
  /// All three must outlive this object.
  GpuBus(const GpuLibrary& library, nvml::Device card, GpuAnswers& answers)
      : m_f(library.functions()), m_card(card), m_answers(answers) {}

  /// Rates since the last call.
  GpuBusRates rates(SteadyTime now);
  /// Whether `poll` must be called between two calls of `rates` that are `period` apart.
  bool needsPoll(std::chrono::nanoseconds period) const;
  void poll(SteadyTime now);

 private:
  struct Reading {
    SteadyTime at;
    std::uint64_t received = 0;
    std::uint64_t transmitted = 0;
  };
  /// Bytes moved since the last `rates`; absent if not known.
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

  std::optional<double> m_linkRate;  ///< largest rate of the link, bytes per second
  bool m_wide = false;               ///< a counter was seen above 32 bits
  std::optional<Reading> m_last;
  SteadyTime m_since;  ///< start of m_moved
  Moved m_moved;
  unsigned m_failures = 0;   ///< consecutive failed readings
  unsigned m_ambiguous = 0;  ///< consecutive spans with a possible double wrap
  GpuBusRates m_measured;
  bool m_measuresReceived = false;
};

}  // namespace millrace
