// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/monitor/gpu_answers.h"
#include "core/monitor/gpu_bus.h"
#include "core/monitor/gpu_choice.h"
#include "core/monitor/gpu_library.h"
#include "core/monitor/gpu_processes.h"
#include "core/monitor/gpu_values.h"

namespace millrace {

/// Reads one GPU, or one instance of it. What the device does not offer is asked once and is absent
/// from then on. Of an instance in Multi-Instance mode there are memory, processes, and the card's
/// clocks and temperature; utilisation, power and bus traffic are not told, or only for the whole
/// card, and stay absent. One thread.
class GpuSampler {
 public:
  /// `library` outlives it; the choice is one of `devices`.
  GpuSampler(const GpuLibrary& library, const std::vector<GpuDevice>& devices,
             const GpuChoice& choice, const GpuAsker& asker);

  /// As a person knows it: "NVIDIA H200", of an instance "NVIDIA H200 MIG 1g.18gb".
  const std::string& name() const { return m_name; }

  /// Some 0.1 ms, and 20 ms of waiting where the bus traffic is no counter (before Hopper). An
  /// error: the driver or the device is gone, and nothing will ever come again.
  Result<GpuValues> sample(SteadyTime now);
  /// Whether `look` is to be called half way between two samples that are `period` apart.
  bool needsLook(std::chrono::nanoseconds period) const;
  void look(SteadyTime now) { m_bus.look(now); }

 private:
  void readWholeCard(GpuValues& values, SteadyTime now);
  void readUtilization(GpuValues& values);
  void readMemory(GpuValues& values);
  void readReasons(GpuValues& values);
  void readEngines(GpuValues& values);
  template <class F, class... Arguments>
  bool asked(GpuQuestion question, const char* what, F* function, Arguments... arguments);

  // Constant after construction.
  const nvml::Functions& m_f;
  nvml::Device m_device;  ///< the instance where there is one
  nvml::Device m_card;    ///< what it is a part of, else the same
  bool m_wholeCard;       ///< no instance: all that the card tells is ours
  std::string m_name;

  GpuAnswers m_answers;
  GpuBus m_bus;
  GpuProcesses m_processes;
  std::optional<double> m_others;
  std::optional<double> m_otherShare;
  std::uint64_t m_samples = 0;
};

}  // namespace millrace
