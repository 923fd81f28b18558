// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/monitor/gpu_choice.h"
#include "core/monitor/gpu_sampler.h"
#include "core/monitor/gpu_values.h"

namespace millrace {

struct GpuMonitorOptions {
  std::string library = kGpuLibrary;
  std::chrono::milliseconds period{100};
  std::optional<GpuVisibility> visibility;  ///< absent: this process's
  GpuAsker asker = thisProcess();
  std::chrono::milliseconds patience = kGpuPatience;
};

/// When to sample again after a sample that was due at `due` and ended at `now`: a period later,
/// and never at once, however long it took.
SteadyTime nextTick(SteadyTime due, SteadyTime now, std::chrono::nanoseconds period);

/// Samples the GPU of this process ten times a second on a thread of its own, for as long as it
/// lives: not on the run's sampler, because a driver may take its time over a call. A driver that
/// hangs is left behind: the destructor waits two seconds for it at most. Monitor.
class GpuMonitor {
 public:
  /// Starts the library, which may take a second where nobody else has the driver awake. The error
  /// says why there are no figures: no library, no driver, one that does not answer, no GPU that
  /// this process may use, or MILLRACE_GPU_FIGURES=0.
  static Result<std::unique_ptr<GpuMonitor>> start(const GpuMonitorOptions& options = {});
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  const std::string& name() const { return m_name; }

  /// A reader's place; one reader.
  GpuNews news();
  /// What `figures` gives begins here.
  void beginSpan();
  GpuFigures figures() const;
  /// Waits until no more samples come, or `until`; whether they ended.
  bool waitForEnd(SteadyTime until) const;

 private:
  struct State;
  GpuMonitor(std::string name, std::shared_ptr<State> state);

  const std::string m_name;
  std::shared_ptr<State> m_state;  ///< the thread has it too, and outlives us where it hangs
  std::thread m_thread;
};

}  // namespace millrace
