// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/monitor/host_sampler.h"

namespace millrace {

/// Totals of a program that another process has started, and of all processes below it.
struct FamilySample {
  /// As a HostSampler would take it if the whole family were this process: its CPU time, memory and
  /// faults. This process and the one that started the program count as its ancestors. Without
  /// threads and reads.
  HostSample host;
  double programCpuSeconds = 0;  ///< of the program itself; the rest is that of its workers
  std::size_t workers = 0;       ///< processes below the program that run now
};

/// Reads /proc for a program and everything below it, also processes that left its process group.
/// Memory counts pages that several of them share in parts, and is read about once a second because
/// the kernel walks through all pages for it. One thread.
class FamilySampler {
 public:
  /// `guard` is the process that started `program`, and `program` its only child. `clock` must
  /// outlive the sampler. `proc` is for tests.
  FamilySampler(int guard, int program, const Clock& clock = steadyClock(),
                std::filesystem::path proc = "/proc");

  /// Takes about a millisecond for some hundred processes of the machine.
  FamilySample sample();

 private:
  void readMemory(const std::vector<int>& family);

  const int m_guard;
  const int m_program;
  const Clock& m_clock;
  const std::filesystem::path m_proc;
  const double m_ticksPerSecond;
  const HostSampler m_own;
  SteadyTime m_nextMemory;
  ProcessMemory m_memory;
};

}  // namespace millrace
