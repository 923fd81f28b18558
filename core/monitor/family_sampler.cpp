// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/family_sampler.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

#include <unistd.h>

#include "core/monitor/small_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::nanoseconds kMemoryEvery = std::chrono::seconds(1);
/// Reading the memory of large programs takes at most this share of the time.
constexpr int kMemoryShare = 100;

using Uses = std::map<int, ProcessUse>;

Uses usesOfAll(const fs::path& proc, double ticksPerSecond) {
  Uses uses;
  std::error_code failed;
  for (fs::directory_iterator at(proc, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    int id = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), id);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size()) continue;
    if (auto use = parseProcessUse(readSmallFile(at->path() / "stat"), ticksPerSecond))
      uses.emplace(id, *use);
  }
  return uses;
}

/// Whether `id` is below `root`. Circles in what was read while processes ended are cut.
bool isBelow(const Uses& uses, int id, int root) {
  for (int i = 0; i < 64; ++i) {
    const auto found = uses.find(id);
    if (found == uses.end()) return false;
    if (found->second.parent == root) return true;
    id = found->second.parent;
  }
  return false;
}

}  // namespace

FamilySampler::FamilySampler(int guard, int program, const Clock& clock, fs::path proc)
    : m_guard(guard),
      m_program(program),
      m_clock(clock),
      m_proc(std::move(proc)),
      m_ticksPerSecond(static_cast<double>(::sysconf(_SC_CLK_TCK))),
      m_own(clock, m_proc) {}

FamilySample FamilySampler::sample() {
  FamilySample sample;
  sample.host = m_own.sample(false);
  HostSample& host = sample.host;
  host.ancestors.push_back({::getpid(), host.cpuSeconds});
  host.cpuSeconds = 0;
  host.majorFaults = 0;
  host.reads = {};
  std::vector<int> family;
  const Uses uses = usesOfAll(m_proc, m_ticksPerSecond);
  for (const auto& [id, use] : uses) {
    if (id == m_guard) {
      host.ancestors.push_back({id, use.cpuSeconds});
      // Processes whose parent ended before them.
      host.cpuSeconds += use.childCpuSeconds;
      host.majorFaults += use.childMajorFaults;
      continue;
    }
    if (!isBelow(uses, id, m_guard)) continue;
    family.push_back(id);
    host.cpuSeconds += use.cpuSeconds + use.childCpuSeconds;
    host.majorFaults += use.majorFaults + use.childMajorFaults;
    if (id == m_program)
      sample.programCpuSeconds = use.cpuSeconds;
    else
      ++sample.workers;
  }
  readMemory(family);
  host.memory = m_memory;
  return sample;
}

void FamilySampler::readMemory(const std::vector<int>& family) {
  const SteadyTime begin = m_clock.now();
  if (begin < m_nextMemory) return;
  std::uint64_t bytes = 0;
  for (const int id : family) {
    const fs::path folder = m_proc / std::to_string(id);
    auto own = parseProportionalMemory(readSmallFile(folder / "smaps_rollup"));
    if (!own) own = parseProcessMemory(readSmallFile(folder / "status")).rssBytes;
    bytes += own.value_or(0);
  }
  if (bytes > 0) {
    m_memory.rssBytes = bytes;
    m_memory.peakRssBytes = std::max(m_memory.peakRssBytes.value_or(0), bytes);
  }
  const SteadyTime end = m_clock.now();
  m_nextMemory =
      end + std::max<std::chrono::nanoseconds>(kMemoryEvery, kMemoryShare * (end - begin));
}

}  // namespace millrace
