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

/// What a run's figures depend on besides the pipeline and the data. Absent where nobody tells.
struct Environment {
  std::optional<std::string> cpuModel;
  std::string architecture;
  int coresOnline = 1;
  /// Cores that this process may use: its affinity, and no more than its cgroup's quota, which need
  /// not be a whole number.
  double coresUsable = 1;
  std::optional<std::uint64_t> memoryBytes;
  /// The least limit of the process's cgroups that is below the machine's memory.
  std::optional<std::uint64_t> memoryLimitBytes;
  std::string kernel;
  std::optional<std::string> distribution;
  std::optional<std::string> governor;  ///< of core 0: "performance", "powersave", ...
  bool virtualised = false;
  std::vector<GpuInfo> gpus;  ///< empty: no GPU, or no management library
  std::string compiler;
};

/// Reads once, in about 1 ms (with a GPU's library, its start: up to a second). Any thread. `root`
/// is another folder in tests.
Environment readEnvironment(const std::filesystem::path& root = "/");

/// NVIDIA's devices that this user may use, by the management library, opened for the call; empty
/// without it. Devices that CUDA_VISIBLE_DEVICES hides are among them: they are in the machine.
std::vector<GpuInfo> readGpus(const char* library = "libnvidia-ml.so.1");

/// As the pairs that the store, `--json` and reports show, in a fixed order; absent facts are left
/// out: `cpu_model architecture cores_online cores_usable memory_bytes memory_limit_bytes kernel
/// distribution governor virtualised gpu gpu_driver compiler`.
std::vector<std::pair<std::string, std::string>> environmentFacts(const Environment& environment);

}  // namespace millrace
