// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/environment.h"

#include <algorithm>

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/text/text.h"
#include "core/monitor/cgroup.h"
#include "core/monitor/gpu/gpu_library.h"
#include "core/monitor/proc_text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

std::optional<double> cpuQuota(const std::filesystem::path& root, std::string_view groups) {
  const std::filesystem::path base = root / "sys/fs/cgroup";
  std::optional<double> quota;
  if (const auto group = parseCgroupPath(groups, ""))
    quota = leastUpwards(base, *group, [](const std::filesystem::path& folder) {
      return parseCpuMax(readSmallFile(folder / "cpu.max"));
    });
  if (const auto group = parseCgroupPath(groups, "cpu"))
    quota = smaller(quota, leastUpwards(base / "cpu", *group, [](const auto& folder) {
                      // A quota of -1 means no quota; parseCpuMax does not accept it as a number.
                      return parseCpuMax(readSmallFile(folder / "cpu.cfs_quota_us") + " " +
                                         readSmallFile(folder / "cpu.cfs_period_us"));
                    }));
  return quota;
}

std::optional<std::uint64_t> memoryLimit(const std::filesystem::path& root,
                                         std::string_view groups) {
  const std::filesystem::path base = root / "sys/fs/cgroup";
  std::optional<std::uint64_t> limit;
  if (const auto group = parseCgroupPath(groups, ""))
    limit = leastUpwards(base, *group, [](const std::filesystem::path& folder) {
      return parseByteLimit(readSmallFile(folder / "memory.max"));
    });
  if (const auto group = parseCgroupPath(groups, "memory"))
    limit = smaller(limit, leastUpwards(base / "memory", *group, [](const auto& folder) {
                      return parseByteLimit(readSmallFile(folder / "memory.limit_in_bytes"));
                    }));
  return limit;
}

int affinityCores(int online) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return online;
  return CPU_COUNT(&cores);
}

std::string compilerName() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

}  // namespace

Environment readEnvironment(const std::filesystem::path& root) {
  Environment environment;
  const std::string cpus = readSmallFile(root / "proc/cpuinfo");
  environment.cpuModel = parseCpuModel(cpus);
  environment.virtualised = parseVirtualised(cpus);
  environment.coresOnline = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const std::string groups = readSmallFile(root / "proc/self/cgroup");
  const double allowed = affinityCores(environment.coresOnline);
  environment.coresUsable = std::min(allowed, cpuQuota(root, groups).value_or(allowed));
  environment.memoryBytes = parseMemoryTotal(readSmallFile(root / "proc/meminfo"));
  const auto limit = memoryLimit(root, groups);
  // Version 1 reports a number larger than any memory for "no limit".
  if (limit && (!environment.memoryBytes || *limit < *environment.memoryBytes))
    environment.memoryLimitBytes = limit;
  utsname system{};
  if (uname(&system) == 0) {
    environment.kernel = fmt::format("{} {}", system.sysname, system.release);
    environment.architecture = system.machine;
  }
  environment.distribution = parseDistribution(readSmallFile(root / "etc/os-release"));
  const std::string governor =
      readSmallFile(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!trimmed(governor).empty()) environment.governor = std::string(trimmed(governor));
  environment.gpus = readGpus();
  environment.compiler = compilerName();
  return environment;
}

std::vector<GpuInfo> readGpus(const char* library) {
  const auto opened = openGpus(library);
  if (!opened) return {};
  const std::string driver = opened->library->driverVersion().value_or("");
  std::vector<GpuInfo> gpus;
  for (const GpuDevice& device : opened->devices)
    if (device.trouble.empty()) gpus.push_back({device.name, driver});
  return gpus;
}

std::vector<std::pair<std::string, std::string>> environmentFacts(const Environment& environment) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](const char* key, const auto& value) {
    facts.emplace_back(key, fmt::format("{}", value));
  };
  const auto addIf = [&](const char* key, const auto& value) {
    if (value) add(key, *value);
  };
  addIf("cpu_model", environment.cpuModel);
  add("architecture", environment.architecture);
  add("cores_online", environment.coresOnline);
  add("cores_usable", environment.coresUsable);
  addIf("memory_bytes", environment.memoryBytes);
  addIf("memory_limit_bytes", environment.memoryLimitBytes);
  add("kernel", environment.kernel);
  addIf("distribution", environment.distribution);
  addIf("governor", environment.governor);
  add("virtualised", environment.virtualised ? "yes" : "no");
  if (!environment.gpus.empty()) {
    std::vector<std::string> names;
    for (const GpuInfo& gpu : environment.gpus) names.push_back(gpu.name);
    add("gpu", join(names, ", "));
    add("gpu_driver", environment.gpus.front().driver);
  }
  add("compiler", environment.compiler);
  return facts;
}

}  // namespace millrace
