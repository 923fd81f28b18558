// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/monitor/gpu_choice.h"
#include "core/monitor/gpu_library.h"
#include "core/monitor/gpu_values.h"

namespace millrace {

/// Who asks. In a container the driver names other processes by numbers of the host, or leaves them
/// out: then it cannot be told who else uses the GPU.
struct GpuAsker {
  pid_t pid = 0;
  bool seesAllProcesses = false;
};
GpuAsker thisProcess();

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

  /// Some 0.1 ms, and 40 ms of waiting where the bus traffic is no counter (before Hopper). An
  /// error: the driver or the device is gone, and nothing will ever come again.
  Result<GpuValues> sample(SteadyTime now);

 private:
  enum Question : unsigned {
    kUtilization,
    kMemory,
    kPower,
    kPowerLimit,
    kSmClock,
    kMemoryClock,
    kReasons,
    kTemperature,
    kBusCounters,
    kBusThroughput,
    kDecoder,
    kJpeg,
    kProcesses,
    kProcessShares,
    kQuestions
  };

  bool asks(Question question) const { return (m_unanswered & (1U << question)) == 0; }
  bool answered(Question question, nvml::Code code, const char* what);
  template <class F, class... Arguments>
  std::optional<double> number(Question question, const char* what, F* function,
                               Arguments... arguments);
  void readUtilization(GpuValues& values);
  void readMemory(GpuValues& values);
  void readReasons(GpuValues& values);
  void readEngines(GpuValues& values);
  void readBus(GpuValues& values, SteadyTime now);
  bool readBusCounters(GpuValues& values, SteadyTime now);
  void readProcesses();
  void readProcessShares();
  bool addProcesses(nvml::Code (*function)(nvml::Device, unsigned*, nvml::ProcessInfo*),
                    std::vector<unsigned>& pids);

  struct BusCounters {
    SteadyTime at;
    std::uint64_t received = 0;
    std::uint64_t transmitted = 0;
  };

  // Constant after construction.
  const GpuLibrary& m_library;
  const nvml::Functions& m_f;
  nvml::Device m_device;  ///< the instance where there is one
  nvml::Device m_card;    ///< what it is a part of, else the same
  bool m_wholeCard;       ///< no instance: all that the card tells is ours
  std::string m_name;
  const GpuAsker m_asker;

  std::uint32_t m_unanswered = 0;  ///< bits of Question
  std::optional<BusCounters> m_bus;
  std::optional<double> m_others;
  std::optional<double> m_otherShare;
  /// The newest time stamp that was read; nothing: what came before the sampling is not known.
  std::optional<unsigned long long> m_sharesUntil;
  std::uint64_t m_samples = 0;
  unsigned m_silent = 0;  ///< samples in a row without an answer
  bool m_anyAnswer = false;
  std::string m_lost;  ///< what ends the sampling
};

}  // namespace millrace
