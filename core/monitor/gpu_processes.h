// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <sys/types.h>

#include "core/monitor/gpu_answers.h"

namespace millrace {

/// Who asks. In a container the driver names other processes by numbers of the host, or leaves them
/// out: then it cannot be told who else uses the GPU.
struct GpuAsker {
  pid_t pid = 0;
  bool seesAllProcesses = false;
  /// The children of this process are ours as well: the other ranks of a run. 0: none are.
  pid_t parentOfRanks = 0;
  std::filesystem::path root = "/";  ///< another folder in tests
};
GpuAsker thisProcess();

/// Who else uses a GPU, and how much of it. One thread.
class GpuProcesses {
 public:
  /// `library` and `answers` outlive it. `device` is what is watched, `card` what it is a part of.
  GpuProcesses(const GpuLibrary& library, nvml::Device device, nvml::Device card,
               GpuAnswers& answers, GpuAsker asker)
      : m_f(library.functions()),
        m_device(device),
        m_card(card),
        m_answers(answers),
        m_asker(std::move(asker)) {}

  /// Other processes that use the device; absent where that cannot be told.
  std::optional<double> others();
  /// The share of time since the last call in which kernels of others ran on the card.
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
  /// The newest time stamp that was read; nothing: what came before the sampling is not known.
  std::optional<unsigned long long> m_sharesUntil;
};

}  // namespace millrace
