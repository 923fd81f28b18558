// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// What the kernel's text files say, as pure functions from text to values; any thread. A line that
// is missing, cut off or not a number leaves its value absent. Formats: proc(5).

/// Where a core's time went since boot, in seconds.
struct CoreTimes {
  int core = -1;      ///< the kernel's number; -1 for all together
  double user = 0;    ///< with nice; guests are in it already
  double system = 0;  ///< with interrupts
  double idle = 0;
  double iowait = 0;  ///< idle with a read pending; the kernel may take some of it back
  double steal = 0;   ///< ready to run, but the host ran something else

  double busy() const { return user + system; }
  double total() const { return user + system + idle + iowait + steal; }
};

struct MachineTimes {
  CoreTimes all;
  std::vector<CoreTimes> cores;  ///< those online
};

/// /proc/stat. Absent without the line of all cores.
std::optional<MachineTimes> parseMachineTimes(std::string_view text, double ticksPerSecond);

struct ProcessMemory {
  std::optional<std::uint64_t> rssBytes;
  std::optional<std::uint64_t> peakRssBytes;
};

/// /proc/PID/status: VmRSS and VmHWM.
ProcessMemory parseProcessMemory(std::string_view text);

struct ProcessReads {
  std::optional<std::uint64_t> callBytes;            ///< rchar: what read calls gave, from anywhere
  std::optional<std::uint64_t> calls;                ///< syscr
  std::optional<std::uint64_t> storageBytes;         ///< read_bytes: what had to come from storage
  std::optional<std::uint64_t> storageWrittenBytes;  ///< write_bytes
};

/// /proc/PID/io.
ProcessReads parseProcessReads(std::string_view text);

/// Bytes that /proc/diskstats counts as read and written, of the disks that `counts` by name;
/// absent without a line of such a disk.
std::optional<std::uint64_t> parseDiskBytes(
    std::string_view text, const std::function<bool(std::string_view name)>& counts);

struct ProcessTimes {
  std::string name;       ///< as the kernel has it, 15 characters of it
  double cpuSeconds = 0;  ///< of all its threads since it began
};

/// /proc/PID/stat. Absent where a number is missing.
std::optional<ProcessTimes> parseProcessTimes(std::string_view text, double ticksPerSecond);

/// /proc/PID/stat: the process that it is a child of.
std::optional<std::int64_t> parseParent(std::string_view text);

struct ThreadSchedule {
  double ranSeconds = 0;
  double waitedSeconds = 0;  ///< ready to run and without a core
};

/// /proc/PID/task/TID/schedstat. Absent when the kernel does not count, which shows as no slice.
std::optional<ThreadSchedule> parseThreadSchedule(std::string_view text);

/// MemTotal of /proc/meminfo, in bytes.
std::optional<std::uint64_t> parseMemoryTotal(std::string_view text);

/// MemAvailable of /proc/meminfo, in bytes: what can be taken without swapping.
std::optional<std::uint64_t> parseMemoryAvailable(std::string_view text);

/// The line of `key` in a control group's memory.stat, in bytes.
std::optional<std::uint64_t> parseMemoryStat(std::string_view text, std::string_view key);

/// The first "model name" of /proc/cpuinfo; on ARM, which has none, absent.
std::optional<std::string> parseCpuModel(std::string_view text);

/// Whether /proc/cpuinfo says that a hypervisor is below.
bool parseVirtualised(std::string_view text);

/// PRETTY_NAME of os-release(5), without quotes.
std::optional<std::string> parseDistribution(std::string_view text);

/// "QUOTA PERIOD" of cgroup v2's cpu.max as a number of cores; absent for "max".
std::optional<double> parseCpuMax(std::string_view text);

/// A cgroup's limit in bytes; absent for "max".
std::optional<std::uint64_t> parseByteLimit(std::string_view text);

/// The cgroup's path in a line of /proc/self/cgroup: of the unified hierarchy for an empty
/// `controller`, else of the version 1 hierarchy that holds it.
std::optional<std::string> parseCgroupPath(std::string_view text, std::string_view controller);

}  // namespace millrace
