// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace {

struct GpuInfo {
  std::string name;
  std::string driver;
};

/// What a run's figures depend on besides pipeline and data. Facts that are not known are absent.
struct Environment {
  std::optional<std::string> cpuModel;
  std::string architecture;
  int coresOnline = 1;
  /// Cores that this process may use: its affinity, limited by its cgroup's quota, which may be a
  /// fraction.
  double coresUsable = 1;
  std::optional<std::uint64_t> memoryBytes;
  /// The smallest memory limit of the process's cgroups, if it is below the machine's memory.
  std::optional<std::uint64_t> memoryLimitBytes;
  std::string kernel;
  std::optional<std::string> distribution;
  std::optional<std::string> governor;  ///< of core 0: "performance", "powersave", ...
  bool virtualised = false;
  std::vector<GpuInfo> gpus;  ///< empty: no GPU, or no management library
  std::string compiler;
};

/// Takes about 1 ms, or up to a second if a GPU's library must be started. Any thread. `root` is
/// for tests.
Environment readEnvironment(const std::filesystem::path& root = "/");

/// NVIDIA's devices that this user may use, from the management library, which is opened for the
/// call; empty without it. Includes devices hidden by CUDA_VISIBLE_DEVICES, because they are part
/// of the machine.
std::vector<GpuInfo> readGpus(const char* library = "libnvidia-ml.so.1");

/// The environment as key-value pairs for the store, `--json` and reports, in a fixed order,
/// without absent facts: `cpu_model architecture cores_online cores_usable memory_bytes
/// memory_limit_bytes kernel distribution governor virtualised gpu gpu_driver compiler`.
std::vector<std::pair<std::string, std::string>> environmentFacts(const Environment& environment);

}  // namespace millrace
