// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/monitor/gpu_library.h"

namespace millrace {

/// What a GPU is asked.
enum class GpuQuestion : unsigned {
  Utilization,
  Memory,
  Power,
  PowerLimit,
  SmClock,
  MemoryClock,
  Reasons,
  Temperature,
  BusCounters,
  BusThroughput,
  Decoder,
  Jpeg,
  Processes,
  ProcessShares
};

/// How a GPU has answered so far: what it refuses, which is asked once and never again, and whether
/// it is there at all. One thread.
class GpuAnswers {
 public:
  /// `library` outlives it.
  explicit GpuAnswers(const GpuLibrary& library) : m_library(library) {}

  bool asks(GpuQuestion question) const { return (m_refused & bit(question)) == 0; }
  void refuse(GpuQuestion question) { m_refused |= bit(question); }
  /// Whether a call succeeded; `what` was asked, for a person.
  bool took(GpuQuestion question, nvml::Code code, const char* what);

  /// Calls `function`, whose last parameter is what it answers, if that is still asked.
  template <class F, class... Arguments>
  std::optional<double> number(GpuQuestion question, const char* what, F* function,
                               Arguments... arguments) {
    if (!asks(question)) return std::nullopt;
    unsigned value = 0;
    if (!took(question, GpuLibrary::call(function, arguments..., &value), what))
      return std::nullopt;
    return static_cast<double>(value);
  }

  /// To be called before a sample, and after it: counts those without an answer.
  void beginSample() { m_anyAnswer = false; }
  void endSample();
  /// Why nothing will ever come again; empty: it will.
  const std::string& lost() const { return m_lost; }

 private:
  static std::uint32_t bit(GpuQuestion question) { return 1U << static_cast<unsigned>(question); }

  const GpuLibrary& m_library;
  std::uint32_t m_refused = 0;
  unsigned m_silent = 0;  ///< samples in a row without an answer
  bool m_anyAnswer = false;
  std::string m_lost;
};

/// Codes after which no call will ever succeed again.
bool isGpuEnd(nvml::Code code);

}  // namespace millrace
