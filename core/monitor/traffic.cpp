// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/traffic.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/monitor/proc_text.h"
#include "core/monitor/process_family.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::array kSpecs = {
    FlowSpec{Flow::DiskRead, "disk_read_bytes", "machine.disk_read_bytes_per_second"},
    FlowSpec{Flow::DiskWritten, "disk_written_bytes", "machine.disk_written_bytes_per_second"},
    FlowSpec{Flow::NetworkReceived, "network_received_bytes",
             "machine.network_received_bytes_per_second"},
    FlowSpec{Flow::NetworkSent, "network_sent_bytes", "machine.network_sent_bytes_per_second"},
    FlowSpec{Flow::ProcessRead, "process_read_bytes", "process.read_bytes_per_second", true},
};
static_assert(kSpecs.size() == kFlows);

void add(std::optional<std::uint64_t>& sum, std::uint64_t bytes) { sum = sum.value_or(0) + bytes; }

bool hasHardware(const fs::path& interface) {
  std::error_code error;
  return fs::exists(interface / "device", error);
}

bool isCountedDisk(const fs::path& sys, std::string name) {
  std::ranges::replace(name, '/', '!');  // "cciss/c0d0"
  const fs::path device = sys / "block" / name / "device";
  std::error_code error;
  if (!fs::exists(device, error)) return false;
  const fs::path target = fs::read_symlink(device, error);
  return error || !target.filename().string().starts_with("nvme-subsys");
}

void addNetwork(const fs::path& proc, const fs::path& sys, FlowTotals& totals) {
  FlowTotals hardware;
  FlowTotals others;
  for (const DeviceBytes& interface : parseInterfaces(readSmallFile(proc / "net/dev"))) {
    const fs::path folder = sys / "class/net" / interface.name;
    const bool isHardware = hasHardware(folder);
    if (interface.name == "lo" || (isHardware && hasHardware(folder / "master"))) continue;
    FlowTotals& to = isHardware ? hardware : others;
    add(to[Flow::NetworkReceived], interface.in);
    add(to[Flow::NetworkSent], interface.out);
  }
  const FlowTotals& known = hardware[Flow::NetworkReceived] ? hardware : others;
  for (const Flow flow : {Flow::NetworkReceived, Flow::NetworkSent}) totals[flow] = known[flow];
}

/// Bytes that storage delivered for this process and those that it started.
std::optional<std::uint64_t> readByFamily(const fs::path& proc) {
  auto bytes = parseProcessReads(readSmallFile(proc / "self/io")).storageBytes;
  if (!bytes) return std::nullopt;
  for (const int id : descendants(proc))
    *bytes +=
        parseProcessReads(readSmallFile(proc / std::to_string(id) / "io")).storageBytes.value_or(0);
  return bytes;
}

}  // namespace

std::span<const FlowSpec> flowSpecs() { return kSpecs; }

std::optional<std::uint64_t> growthOf(const std::optional<std::uint64_t>& earlier,
                                      const std::optional<std::uint64_t>& later) {
  if (!earlier || !later || *later < *earlier) return std::nullopt;
  return *later - *earlier;
}

FlowTotals diskTotals(const fs::path& proc, const fs::path& sys) {
  FlowTotals totals;
  for (const DeviceBytes& disk : parseDisks(readSmallFile(proc / "diskstats"))) {
    if (!isCountedDisk(sys, disk.name)) continue;
    add(totals[Flow::DiskRead], disk.in);
    add(totals[Flow::DiskWritten], disk.out);
  }
  return totals;
}

FlowTotals flowTotals(const fs::path& proc, const fs::path& sys) {
  FlowTotals totals = diskTotals(proc, sys);
  addNetwork(proc, sys, totals);
  totals[Flow::ProcessRead] = readByFamily(proc);
  return totals;
}

}  // namespace millrace
