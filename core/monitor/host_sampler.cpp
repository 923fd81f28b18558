// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/host_sampler.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

#include "core/base/helper_cpu.h"
#include "core/base/text/text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

double processCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::vector<ThreadSample> readThreads(const std::filesystem::path& folder) {
  std::vector<ThreadSample> threads;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    ThreadSample thread;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), thread.id);
    if (read.ec != std::errc()) continue;
    thread.name = trimmed(readSmallFile(at->path() / "comm"));
    thread.schedule = parseThreadSchedule(readSmallFile(at->path() / "schedstat"));
    // No name: the thread ended while it was read.
    if (!thread.name.empty()) threads.push_back(std::move(thread));
  }
  std::ranges::sort(threads, {}, &ThreadSample::id);
  return threads;
}

/// Totals of the kernel may decrease slightly; a share is never negative.
double shareOf(double later, double earlier, double whole) {
  return std::max(0.0, later - earlier) / whole;
}

std::optional<double> rateOf(std::optional<std::uint64_t> later,
                             std::optional<std::uint64_t> earlier, double seconds) {
  const auto grown = growthOf(earlier, later);
  return grown ? std::optional(static_cast<double>(*grown) / seconds) : std::nullopt;
}

void addMachine(const MachineTimes& earlier, const MachineTimes& later, double ownSeconds,
                HostShares& shares) {
  const double whole = later.all.total() - earlier.all.total();
  if (!(whole > 0)) return;
  const double busy = std::max(0.0, later.all.busy() - earlier.all.busy());
  shares.coreBusyShare = busy / whole;
  shares.otherBusyShare = std::max(0.0, busy - ownSeconds) / whole;
  shares.stealShare = shareOf(later.all.steal, earlier.all.steal, whole);
  shares.iowaitShare = shareOf(later.all.iowait, earlier.all.iowait, whole);
  for (const CoreTimes& core : later.cores) {
    const auto before = std::ranges::find(earlier.cores, core.core, &CoreTimes::core);
    if (before == earlier.cores.end()) continue;
    const double span = core.total() - before->total();
    if (span > 0) shares.cores.push_back({core.core, shareOf(core.busy(), before->busy(), span)});
  }
}

}  // namespace

HostSampler::HostSampler(const Clock& clock, std::filesystem::path proc, std::filesystem::path sys)
    : m_clock(clock),
      m_proc(std::move(proc)),
      m_sys(std::move(sys)),
      m_ticksPerSecond(static_cast<double>(sysconf(_SC_CLK_TCK))) {}

HostSample HostSampler::sample(bool withThreads) const {
  HostSample sample;
  sample.time = m_clock.now();
  sample.cpuSeconds = processCpuSeconds() + HelperCpu::processSeconds();
  sample.ancestors = ancestors(m_proc, m_ticksPerSecond);
  sample.machine = parseMachineTimes(readSmallFile(m_proc / "stat"), m_ticksPerSecond);
  sample.memory = parseProcessMemory(readSmallFile(m_proc / "self/status"));
  sample.reads = parseProcessReads(readSmallFile(m_proc / "self/io"));
  sample.flows = flowTotals(m_proc, m_sys);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  sample.majorFaults = static_cast<std::uint64_t>(usage.ru_majflt);
  sample.voluntarySwitches = static_cast<std::uint64_t>(usage.ru_nvcsw);
  sample.involuntarySwitches = static_cast<std::uint64_t>(usage.ru_nivcsw);
  if (withThreads) sample.threads = readThreads(m_proc / "self/task");
  return sample;
}

bool resetPeakMemory() {
  // proc(5), clear_refs: 5 resets VmHWM.
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

HostShares sharesBetween(const HostSample& earlier, const HostSample& later) {
  HostShares shares;
  shares.seconds = toSeconds(later.time - earlier.time);
  if (!(shares.seconds > 0)) return shares;
  const double ownSeconds = later.cpuSeconds - earlier.cpuSeconds;
  shares.processCpuShare = ownSeconds / shares.seconds;
  if (earlier.machine && later.machine)
    addMachine(*earlier.machine, *later.machine,
               ownSeconds + cpuSecondsBetween(earlier.ancestors, later.ancestors), shares);
  for (const FlowSpec& spec : flowSpecs())
    shares.bytesPerSecond[spec.flow] =
        rateOf(later.flows[spec.flow], earlier.flows[spec.flow], shares.seconds);
  shares.readCallBytesPerSecond =
      rateOf(later.reads.callBytes, earlier.reads.callBytes, shares.seconds);
  shares.majorFaults = later.majorFaults - earlier.majorFaults;
  shares.involuntarySwitches = later.involuntarySwitches - earlier.involuntarySwitches;
  for (const ThreadSample& thread : later.threads) {
    const auto before = std::ranges::find(earlier.threads, thread.id, &ThreadSample::id);
    if (before == earlier.threads.end() || !before->schedule || !thread.schedule) continue;
    shares.threads.push_back(
        {thread.id, thread.name,
         shareOf(thread.schedule->ranSeconds, before->schedule->ranSeconds, shares.seconds),
         shareOf(thread.schedule->waitedSeconds, before->schedule->waitedSeconds, shares.seconds)});
  }
  return shares;
}

}  // namespace millrace
