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

namespace millrace {

struct ThreadSample {
  int id = 0;
  std::string name;  ///< as setThreadName gave it
  std::optional<ThreadSchedule> schedule;
};

/// Totals of machine, process and threads at one moment; differences of two give rates. What the
/// kernel does not tell is absent.
struct HostSample {
  SteadyTime time{};
  std::optional<MachineTimes> machine;  ///< since boot, in steps of a clock tick (10 ms mostly)
  double cpuSeconds = 0;                ///< of this process, exact to the microsecond
  ProcessMemory memory;
  ProcessReads reads;
  std::uint64_t majorFaults = 0;
  std::uint64_t voluntarySwitches = 0;
  std::uint64_t involuntarySwitches = 0;
  std::vector<ThreadSample> threads;  ///< in order of id; those that have ended are missing
};

/// Reads /proc for the calling process. About 40 us and 15 us for each thread, so that ten samples
/// a second cost nothing that shows. One thread at a time.
class HostSampler {
 public:
  /// `clock` outlives the sampler. `proc` is another folder in tests.
  explicit HostSampler(const Clock& clock = steadyClock(), std::filesystem::path proc = "/proc");

  HostSample sample(bool withThreads = true) const;

 private:
  const Clock& m_clock;
  std::filesystem::path m_proc;
  double m_ticksPerSecond;
};

/// Sets the peak of resident memory back to what is resident now, so that a second run in one
/// process has a peak of its own. False where the kernel refuses.
bool resetPeakMemory();

struct CoreShare {
  int core = 0;
  double busy = 0;
};

struct ThreadShare {
  int id = 0;
  std::string name;
  double cpuShare = 0;       ///< of one core
  double runDelayShare = 0;  ///< of the time, ready to run and without a core
};

/// What happened between two samples; shares are of 1. The fields are the metrics of the same name
/// in core/metrics/metric_spec.cpp.
struct HostShares {
  double seconds = 0;
  std::optional<double> coreBusyShare;
  /// Busy time of the cores less that of this process. Ticks are coarse: under a second apart it is
  /// a rough figure.
  std::optional<double> otherBusyShare;
  std::optional<double> stealShare;
  std::optional<double> iowaitShare;
  std::vector<CoreShare> cores;
  double processCpuShare = 0;  ///< in cores: 2 is two whole cores
  std::optional<double> readBytesPerSecond;
  std::optional<double> readCallBytesPerSecond;
  std::uint64_t majorFaults = 0;
  std::uint64_t involuntarySwitches = 0;
  std::vector<ThreadShare> threads;  ///< those in both samples
};

/// `later` is not before `earlier`. Two samples of the same moment give no shares.
HostShares sharesBetween(const HostSample& earlier, const HostSample& later);

}  // namespace millrace
