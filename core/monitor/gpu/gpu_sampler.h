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
#include "core/monitor/gpu/gpu_answers.h"
#include "core/monitor/gpu/gpu_bus.h"
#include "core/monitor/gpu/gpu_choice.h"
#include "core/monitor/gpu/gpu_library.h"
#include "core/monitor/gpu/gpu_processes.h"
#include "core/monitor/gpu/gpu_values.h"

namespace millrace {

/// Reads a GPU or one of its instances. Quantities that the device does not support are asked for
/// once and are absent from then on. For an instance in Multi-Instance mode there are memory,
/// processes, and the card's clocks and temperature; utilisation, power and bus traffic are not
/// available, or only for the whole card, and stay absent. One thread.
class GpuSampler {
 public:
  /// `library` must outlive this object; `choice` is one of `devices`.
  GpuSampler(const GpuLibrary& library, const std::vector<GpuDevice>& devices,
             const GpuChoice& choice, const GpuAsker& asker);

  /// Name for users: "NVIDIA H200", for an instance "NVIDIA H200 MIG 1g.18gb".
  const std::string& name() const { return m_name; }

  /// Takes about 0.1 ms, plus 20 ms if the card has no byte counters (before Hopper). An error
  /// means that driver or device is permanently lost.
  Result<GpuValues> sample(SteadyTime now);
  /// Whether `poll` must be called half way between two samples that are `period` apart.
  bool needsPoll(std::chrono::nanoseconds period) const;
  void poll(SteadyTime now) { m_bus.poll(now); }

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
  nvml::Device m_device;  ///< the instance, if there is one
  nvml::Device m_card;    ///< the card it belongs to, else the same
  bool m_wholeCard;       ///< not an instance: all figures of the card belong to it
  std::string m_name;

  GpuAnswers m_answers;
  GpuBus m_bus;
  GpuProcesses m_processes;
  std::optional<double> m_others;
  std::optional<double> m_otherShare;
  std::uint64_t m_samples = 0;
};

}  // namespace millrace
