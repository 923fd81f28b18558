// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/busy_cores.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/monitor/host_sampler.h"
#include "core/monitor/proc_text.h"
#include "core/monitor/process_family.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

constexpr double kBusyShare = 0.1;  ///< share of the cores; less is noise in so short a measurement
constexpr std::chrono::milliseconds kInterval{300};

using Processes = std::unordered_map<int, ProcessTimes>;

Processes processesIn(const std::filesystem::path& proc) {
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  Processes all;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(proc, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    int id = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || rest != name.data() + name.size() || id == getpid()) continue;
    if (auto times = parseProcessTimes(readSmallFile(at->path() / "stat"), ticks))
      all.emplace(id, std::move(*times));
  }
  return all;
}

/// Name and core use of the process that ran most between the two, except of those that started
/// this one and those that it started; "" if none ran.
std::pair<std::string, double> busiest(const std::filesystem::path& proc, const Processes& before,
                                       const HostSample& sample, double seconds) {
  const Processes after = processesIn(proc);
  std::pair<int, double> most{0, 0};
  for (const auto& [id, times] : after) {
    const auto then = before.find(id);
    if (then == before.end() || seconds <= 0) continue;
    const double cores = (times.cpuSeconds - then->second.cpuSeconds) / seconds;
    const bool isOwn =
        std::ranges::find(sample.ancestors, id, &ProcessCpu::id) != sample.ancestors.end() ||
        (cores > most.second && isDescendant(proc, id));
    if (cores > most.second && !isOwn) most = {id, cores};
  }
  if (most.first == 0) return {"", 0};
  return {programName(proc, most.first, after.at(most.first).name), most.second};
}

}  // namespace

void warnOfBusyCores(Problems& problems, const std::filesystem::path& proc,
                     const std::function<void()>& wait) {
  const HostSampler sampler(steadyClock(), proc);
  const HostSample earlier = sampler.sample(false);
  const Processes before = processesIn(proc);
  if (wait)
    wait();
  else
    std::this_thread::sleep_for(kInterval);
  const HostSample later = sampler.sample(false);
  const HostShares shares = sharesBetween(earlier, later);
  const double others = shares.otherBusyShare.value_or(0);
  if (others < kBusyShare) return;
  const auto [name, cores] = busiest(proc, before, later, shares.seconds);
  const std::string most =
      name.empty() ? "" : fmt::format(", mostly “{}” ({:.1f} cores)", validUtf8(name), cores);
  problems.warning("", "",
                   fmt::format("other programs take {:.0f} % of the cores now{}: figures measured "
                               "now do not show what the machine can do",
                               100 * others, most),
                   "stop them and start again");
}

}  // namespace millrace
