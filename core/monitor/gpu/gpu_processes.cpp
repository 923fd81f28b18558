// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_processes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>

#include <unistd.h>

#include "core/monitor/proc_text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

constexpr std::size_t kRoom = 32;

/// The process ids of `count` entries in memory that was zeroed before. A driver that writes longer
/// entries (nvml_abi.h) leaves non-zero bytes after the place where the last short entry would end.
std::vector<unsigned> pidsOf(const std::vector<std::byte>& entries, std::size_t count) {
  const std::size_t shortBytes = count * sizeof(nvml::ProcessInfo);
  const bool isLong = std::any_of(entries.begin() + static_cast<std::ptrdiff_t>(shortBytes),
                                  entries.end(), [](std::byte b) { return b != std::byte{0}; });
  const std::size_t stride = isLong ? nvml::kLongProcessInfo : sizeof(nvml::ProcessInfo);
  std::vector<unsigned> pids(count);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(&pids[i], entries.data() + i * stride, sizeof(unsigned));
  return pids;
}

}  // namespace

GpuAsker thisProcess() {
  // PROC_PID_INIT_INO of the kernel: the namespace that contains all processes of the machine.
  std::array<char, 64> link{};
  const ssize_t length = readlink("/proc/self/ns/pid", link.data(), link.size() - 1);
  GpuAsker asker;
  asker.pid = getpid();
  asker.seesAllProcesses = length > 0 && std::string_view(link.data()) == "pid:[4026531836]";
  if (std::getenv("MILLRACE_RANK") != nullptr) asker.parentOfRanks = getppid();
  return asker;
}

bool GpuProcesses::isOurs(unsigned pid) const {
  if (pid == static_cast<unsigned>(m_asker.pid)) return true;
  if (m_asker.parentOfRanks == 0) return false;
  const auto parent =
      parseParent(readSmallFile(m_asker.root / "proc" / std::to_string(pid) / "stat"));
  return parent == m_asker.parentOfRanks;
}

std::optional<double> GpuProcesses::others() {
  if (!m_asker.seesAllProcesses || !m_answers.asks(GpuQuestion::Processes)) return std::nullopt;
  std::vector<unsigned> pids;
  if (!addListed(m_f.computeProcesses, pids)) return std::nullopt;
  // A device without graphics refuses this; then there are only compute processes.
  (void)addListed(m_f.graphicsProcesses, pids);
  std::ranges::sort(pids);
  pids.erase(std::ranges::unique(pids).begin(), pids.end());
  std::erase_if(pids, [this](unsigned pid) { return isOurs(pid); });
  return static_cast<double>(pids.size());
}

bool GpuProcesses::addListed(List list, std::vector<unsigned>& pids) {
  std::vector<std::byte> entries;
  nvml::Code code = nvml::kInsufficientSize;
  unsigned count = 0;
  std::size_t room = kRoom;
  // There may be more processes than room, and even more at the next attempt.
  for (int tries = 0; tries < 3 && code == nvml::kInsufficientSize; ++tries) {
    count = static_cast<unsigned>(room);
    entries.assign(room * nvml::kLongProcessInfo, std::byte{0});
    code = GpuLibrary::call(list, m_device, &count,
                            reinterpret_cast<nvml::ProcessInfo*>(entries.data()));
    if (code == nvml::kInsufficientSize) room = std::max<std::size_t>(count, room) + 8;
  }
  if (code == nvml::kSuccess) {
    const std::vector<unsigned> found = pidsOf(entries, std::min<std::size_t>(count, room));
    pids.insert(pids.end(), found.begin(), found.end());
    return true;
  }
  if (isGpuEnd(code)) (void)m_answers.took(GpuQuestion::Processes, code, "processes");
  return false;
}

/// Asks again if there was not enough room for all entries.
nvml::Code GpuProcesses::readShares(std::vector<nvml::ProcessUtilization>& shares) {
  std::size_t room = 128;
  nvml::Code code = nvml::kInsufficientSize;
  for (int tries = 0; tries < 2 && code == nvml::kInsufficientSize; ++tries) {
    shares.assign(room, {});
    auto count = static_cast<unsigned>(room);
    code = GpuLibrary::call(m_f.processUtilization, m_card, shares.data(), &count,
                            m_sharesUntil.value_or(0));
    // Only some drivers report the required number.
    room = std::max<std::size_t>(count, 4 * room) + 8;
    shares.resize(std::min<std::size_t>(count, shares.size()));
  }
  return code;
}

std::optional<double> GpuProcesses::otherShare() {
  if (!m_asker.seesAllProcesses || !m_answers.asks(GpuQuestion::ProcessShares)) return std::nullopt;
  const bool first = !m_sharesUntil;
  std::vector<nvml::ProcessUtilization> shares;
  const nvml::Code code = readShares(shares);
  // No kernels of any process ran since the last call.
  if (code == nvml::kNotFound) {
    m_sharesUntil = m_sharesUntil.value_or(0);
    return 0;
  }
  if (code == nvml::kInsufficientSize ||
      !m_answers.took(GpuQuestion::ProcessShares, code, "processes' shares"))
    return std::nullopt;
  const double share = shareOf(shares);
  // The driver's entries from before sampling began.
  if (first) return std::nullopt;
  return share;
}

/// Sum over the newest entry of each other process.
double GpuProcesses::shareOf(const std::vector<nvml::ProcessUtilization>& shares) {
  const unsigned long long since = m_sharesUntil.value_or(0);
  unsigned long long until = since;
  std::map<unsigned, nvml::ProcessUtilization> newest;
  for (const nvml::ProcessUtilization& share : shares) {
    // Some drivers return meaningless entries among the others.
    if (share.pid == 0 || share.sm > 100 || share.timestamp <= since) continue;
    until = std::max(until, share.timestamp);
    nvml::ProcessUtilization& known = newest[share.pid];
    if (share.timestamp >= known.timestamp) known = share;
  }
  m_sharesUntil = until;
  double percent = 0;
  for (const auto& [pid, share] : newest)
    if (!isOurs(pid)) percent += share.sm;
  return std::min(percent / 100, 1.0);
}

}  // namespace millrace
