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
#include "core/monitor/gpu/gpu_choice.h"
#include "core/monitor/gpu/gpu_sampler.h"
#include "core/monitor/gpu/gpu_values.h"

namespace millrace {

struct GpuMonitorOptions {
  std::string library = kGpuLibrary;
  std::chrono::milliseconds period{100};
  std::optional<GpuVisibility> visibility;  ///< absent: that of this process
  GpuAsker asker = thisProcess();
  std::chrono::milliseconds patience = kGpuPatience;
};

/// Time of the next sample, after a sample that was due at `due` and ended at `now`: one period
/// later, but never in the past, however long the sample took.
SteadyTime nextTick(SteadyTime due, SteadyTime now, std::chrono::nanoseconds period);

/// Samples this process's GPU ten times a second, on its own thread because a driver call may take
/// long. If the driver hangs, the destructor waits at most two seconds and abandons the thread.
/// Thread-safe (monitor).
class GpuMonitor {
 public:
  /// Starts the library, which may take a second if no other program uses the driver. The error
  /// says why there are no figures: no library, no driver, a driver that does not answer, no GPU
  /// that this process may use, or MILLRACE_GPU_FIGURES=0.
  static Result<std::unique_ptr<GpuMonitor>> start(const GpuMonitorOptions& options = {});
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  const std::string& name() const { return m_name; }

  /// Returns what came since the last call. For a single reader.
  GpuNews news();
  /// Starts the span of `figures`.
  void beginSpan();
  GpuFigures figures() const;
  /// Waits until sampling ended or `until` has passed; whether it ended.
  bool waitForEnd(SteadyTime until) const;

 private:
  struct State;
  GpuMonitor(std::string name, std::shared_ptr<State> state);

  const std::string m_name;
  /// Shared with the thread, which outlives this object if it hangs.
  std::shared_ptr<State> m_state;
  std::thread m_thread;
};

}  // namespace millrace
