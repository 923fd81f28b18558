// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <sys/types.h>

#include "core/monitor/gpu/gpu_answers.h"

namespace millrace {

/// The process that asks. In a container the driver lists other processes by the host's ids, or not
/// at all; then it is not known which others use the GPU.
struct GpuAsker {
  pid_t pid = 0;
  bool seesAllProcesses = false;
  /// Children of this process count as ours: the other ranks of a run. 0: none.
  pid_t parentOfRanks = 0;
  std::filesystem::path root = "/";  ///< another folder in tests
};
GpuAsker thisProcess();

/// Which other processes use a GPU, and how much of it. One thread.
class GpuProcesses {
 public:
  /// `library` and `answers` must outlive this object. `device`: the monitored device; `card`: the
  /// card it belongs to.
  GpuProcesses(const GpuLibrary& library, nvml::Device device, nvml::Device card,
               GpuAnswers& answers, GpuAsker asker)
      : m_f(library.functions()),
        m_device(device),
        m_card(card),
        m_answers(answers),
        m_asker(std::move(asker)) {}

  /// Number of other processes that use the device; nullopt if not known.
  std::optional<double> others();
  /// Share of time since the last call in which kernels of other processes ran on the card.
  std::optional<double> otherShare();

 private:
  using List = nvml::Code (*)(nvml::Device, unsigned*, nvml::ProcessInfo*);
  bool addListed(List list, std::vector<unsigned>& pids);
  nvml::Code readShares(std::vector<nvml::ProcessUtilization>& shares);
  double shareOf(const std::vector<nvml::ProcessUtilization>& shares);
  bool isOurs(unsigned pid) const;

  const nvml::Functions& m_f;
  nvml::Device m_device;
  nvml::Device m_card;
  GpuAnswers& m_answers;
  const GpuAsker m_asker;
  /// Newest time stamp that was read; nullopt at first, when older entries must be ignored.
  std::optional<unsigned long long> m_sharesUntil;
};

}  // namespace millrace
