// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Parses the kernel's text files into values. Pure functions; any thread. A missing, truncated or
// invalid line leaves its value absent. Formats: proc(5).

/// Times of a core since boot, in seconds.
struct CoreTimes {
  int core = -1;      ///< the kernel's number; -1 for the sum of all cores
  double user = 0;    ///< including nice and guests
  double system = 0;  ///< including interrupts
  double idle = 0;
  double iowait = 0;  ///< idle with a read pending; may decrease slightly
  double steal = 0;   ///< ready to run while the host ran something else

  double busy() const { return user + system; }
  double total() const { return user + system + idle + iowait + steal; }
};

struct MachineTimes {
  CoreTimes all;
  std::vector<CoreTimes> cores;  ///< online cores
};

/// Parses /proc/stat. nullopt without the line for all cores.
std::optional<MachineTimes> parseMachineTimes(std::string_view text, double ticksPerSecond);

struct ProcessMemory {
  std::optional<std::uint64_t> rssBytes;
  std::optional<std::uint64_t> peakRssBytes;
};

/// Parses VmRSS and VmHWM of /proc/PID/status.
ProcessMemory parseProcessMemory(std::string_view text);

struct ProcessReads {
  std::optional<std::uint64_t> callBytes;  ///< rchar: bytes returned by read calls, from any source
  std::optional<std::uint64_t> calls;      ///< syscr
  std::optional<std::uint64_t> storageBytes;         ///< read_bytes: bytes read from storage
  std::optional<std::uint64_t> storageWrittenBytes;  ///< write_bytes
};

/// Parses /proc/PID/io.
ProcessReads parseProcessReads(std::string_view text);

/// Bytes of a disk or a network interface since boot, or since it was added.
struct DeviceBytes {
  std::string name;
  std::uint64_t in = 0;   ///< read or received
  std::uint64_t out = 0;  ///< written or sent
};

/// Parses /proc/diskstats, partitions included.
std::vector<DeviceBytes> parseDisks(std::string_view text);

/// Parses /proc/net/dev.
std::vector<DeviceBytes> parseInterfaces(std::string_view text);

struct ProcessTimes {
  std::string name;       ///< as in the kernel, at most 15 characters
  double cpuSeconds = 0;  ///< of all its threads since its start
};

/// Parses /proc/PID/stat. nullopt if a number is missing.
std::optional<ProcessTimes> parseProcessTimes(std::string_view text, double ticksPerSecond);

/// What a process and the children that it has waited for have used.
struct ProcessUse {
  int parent = 0;
  double cpuSeconds = 0;
  double childCpuSeconds = 0;  ///< of children that have ended, and their children
  std::uint64_t majorFaults = 0;
  std::uint64_t childMajorFaults = 0;
};

/// Parses /proc/PID/stat. nullopt if a number is missing.
std::optional<ProcessUse> parseProcessUse(std::string_view text, double ticksPerSecond);

/// Pss of /proc/PID/smaps_rollup in bytes: pages that several processes share count in parts.
std::optional<std::uint64_t> parseProportionalMemory(std::string_view text);

/// The parent's process id in /proc/PID/stat.
std::optional<std::int64_t> parseParent(std::string_view text);

struct ThreadSchedule {
  double ranSeconds = 0;
  double waitedSeconds = 0;  ///< ready to run but without a core
};

/// Parses /proc/PID/task/TID/children: the ids of the processes that this thread started.
std::vector<int> parseChildren(std::string_view text);

/// Parses /proc/PID/task/TID/schedstat. nullopt if the kernel does not count, which shows as zero
/// time slices.
std::optional<ThreadSchedule> parseThreadSchedule(std::string_view text);

/// MemTotal of /proc/meminfo, in bytes.
std::optional<std::uint64_t> parseMemoryTotal(std::string_view text);

/// MemAvailable of /proc/meminfo, in bytes: memory available without swapping.
std::optional<std::uint64_t> parseMemoryAvailable(std::string_view text);

/// The line of `key` in a control group's memory.stat, in bytes.
std::optional<std::uint64_t> parseMemoryStat(std::string_view text, std::string_view key);

/// The first "model name" of /proc/cpuinfo; nullopt on ARM, which has none.
std::optional<std::string> parseCpuModel(std::string_view text);

/// Whether /proc/cpuinfo reports a hypervisor.
bool parseVirtualised(std::string_view text);

/// PRETTY_NAME of os-release(5), without quotes.
std::optional<std::string> parseDistribution(std::string_view text);

/// "QUOTA PERIOD" of cgroup v2's cpu.max as a number of cores; nullopt for "max".
std::optional<double> parseCpuMax(std::string_view text);

/// A cgroup's limit in bytes; nullopt for "max".
std::optional<std::uint64_t> parseByteLimit(std::string_view text);

/// The cgroup's path in /proc/self/cgroup: in the unified hierarchy if `controller` is empty, else
/// in the version 1 hierarchy with that controller.
std::optional<std::string> parseCgroupPath(std::string_view text, std::string_view controller);

}  // namespace millrace
