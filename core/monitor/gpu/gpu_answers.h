// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/monitor/gpu/gpu_library.h"

namespace millrace {

/// The quantities that a GPU is asked for.
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

/// Tracks how a GPU has answered: quantities that it refuses are asked once and never again; also
/// detects that the GPU is gone. One thread.
class GpuAnswers {
 public:
  /// `library` must outlive this object.
  explicit GpuAnswers(const GpuLibrary& library) : m_library(library) {}

  bool asks(GpuQuestion question) const { return (m_refused & bit(question)) == 0; }
  void refuse(GpuQuestion question) { m_refused |= bit(question); }
  /// Records the result of a call; true if it succeeded. `what`: the quantity, for messages.
  bool took(GpuQuestion question, nvml::Code code, const char* what);

  /// Calls `function`, whose last parameter is the result, unless the question was refused. nullopt
  /// without a result.
  template <class F, class... Arguments>
  std::optional<double> number(GpuQuestion question, const char* what, F* function,
                               Arguments... arguments) {
    if (!asks(question)) return std::nullopt;
    unsigned value = 0;
    if (!took(question, GpuLibrary::call(function, arguments..., &value), what))
      return std::nullopt;
    return static_cast<double>(value);
  }

  /// Call these before and after each sample, to detect samples without any answer.
  void beginSample() { m_anyAnswer = false; }
  void endSample();
  /// Reason why there will be no more answers; empty if there will be.
  const std::string& lost() const { return m_lost; }

 private:
  static std::uint32_t bit(GpuQuestion question) { return 1U << static_cast<unsigned>(question); }

  const GpuLibrary& m_library;
  std::uint32_t m_refused = 0;
  unsigned m_silent = 0;  ///< consecutive samples without an answer
  bool m_anyAnswer = false;
  std::string m_lost;
};

/// Whether the code means that no later call can succeed.
bool isGpuEnd(nvml::Code code);

}  // namespace millrace
