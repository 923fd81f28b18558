// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/monitor/proc_text.h"
#include "core/monitor/process_family.h"
#include "core/monitor/traffic.h"

namespace millrace {

struct ThreadSample {
  int id = 0;
  std::string name;  ///< as set by setThreadName
  std::optional<ThreadSchedule> schedule;
};

/// Totals of machine, process and threads at one moment; differences of two samples give rates.
/// Values that the kernel does not provide are absent.
struct HostSample {
  SteadyTime time{};
  std::optional<MachineTimes> machine;  ///< since boot, in clock ticks (usually 10 ms)
  /// Of this process and those that work for it (core/base/helper_cpu.h), to a microsecond.
  double cpuSeconds = 0;
  std::vector<ProcessCpu> ancestors;  ///< the programs that started it, see process_family
  ProcessMemory memory;
  ProcessReads reads;
  FlowTotals flows;
  std::uint64_t majorFaults = 0;
  std::uint64_t voluntarySwitches = 0;
  std::uint64_t involuntarySwitches = 0;
  std::vector<ThreadSample> threads;  ///< ordered by id, without threads that have ended
};

/// Reads /proc for the calling process. Takes about 0.5 ms of CPU time plus 20 us for each thread
/// on a virtual machine, so that ten samples a second take half a percent of a core. One thread at
/// a time.
class HostSampler {
 public:
  /// `clock` must outlive the sampler. `proc` and `sys` are for tests.
  explicit HostSampler(const Clock& clock = steadyClock(), std::filesystem::path proc = "/proc",
                       std::filesystem::path sys = "/sys");

  HostSample sample(bool withThreads = true) const;

 private:
  const Clock& m_clock;
  std::filesystem::path m_proc;
  std::filesystem::path m_sys;
  double m_ticksPerSecond;
};

/// Resets the peak of resident memory to the current value, so that a second run in the same
/// process gets its own peak. False if the kernel refuses.
bool resetPeakMemory();

struct CoreShare {
  int core = 0;
  double busy = 0;
};

struct ThreadShare {
  int id = 0;
  std::string name;
  double cpuShare = 0;       ///< share of one core
  double runDelayShare = 0;  ///< share of time ready to run but without a core
};

/// Differences of two samples; shares are from 0 to 1. The fields are the metrics of the same name
/// in core/metrics/metric_spec.cpp.
struct HostShares {
  double seconds = 0;
  std::optional<double> coreBusyShare;
  /// Busy time of the cores without that of this process and of the programs that started it. Only
  /// approximate for spans below a second, because of clock ticks.
  std::optional<double> otherBusyShare;
  std::optional<double> stealShare;
  std::optional<double> iowaitShare;
  std::vector<CoreShare> cores;
  double processCpuShare = 0;  ///< in cores: 2 is two whole cores
  PerFlow<double> bytesPerSecond;
  std::optional<double> readCallBytesPerSecond;
  std::uint64_t majorFaults = 0;
  std::uint64_t involuntarySwitches = 0;
  std::vector<ThreadShare> threads;  ///< threads that are in both samples
};

/// `later` must not be before `earlier`. Two samples of the same moment give no shares.
HostShares sharesBetween(const HostSample& earlier, const HostSample& later);

}  // namespace millrace
