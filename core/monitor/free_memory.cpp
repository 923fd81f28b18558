// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/free_memory.h"

#include <string>

#include "core/monitor/cgroup.h"
#include "core/monitor/proc_text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

/// Names of a control group's files in one cgroup version (kernel documentation:
/// admin-guide/cgroup-v2 and cgroup-v1/memory).
struct MemoryFiles {
  const char* limit;
  const char* usage;
  const char* cached;  ///< the line of memory.stat with reclaimable file pages
};
constexpr MemoryFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};
constexpr MemoryFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                   "total_inactive_file"};

std::optional<std::uint64_t> leftIn(const std::filesystem::path& folder, const MemoryFiles& files) {
  const auto limit = parseByteLimit(readSmallFile(folder / files.limit));
  const auto usage = parseByteLimit(readSmallFile(folder / files.usage));
  if (!limit || !usage) return std::nullopt;
  const auto cached = parseMemoryStat(readSmallFile(folder / "memory.stat"), files.cached);
  const std::uint64_t taken = *usage - std::min(*usage, cached.value_or(0));
  return *limit - std::min(*limit, taken);
}

}  // namespace

std::optional<std::uint64_t> freeMemoryBytes(const std::filesystem::path& root) {
  auto free = parseMemoryAvailable(readSmallFile(root / "proc/meminfo"));
  const std::string groups = readSmallFile(root / "proc/self/cgroup");
  const std::filesystem::path base = root / "sys/fs/cgroup";
  if (const auto group = parseCgroupPath(groups, ""))
    free = smaller(free, leastUpwards(base, *group, [](const std::filesystem::path& folder) {
                     return leftIn(folder, kVersion2);
                   }));
  if (const auto group = parseCgroupPath(groups, "memory"))
    free = smaller(free, leastUpwards(base / "memory", *group, [](const auto& folder) {
                     return leftIn(folder, kVersion1);
                   }));
  return free;
}

}  // namespace millrace
