// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace millrace {

/// What moves bytes: disks and network of the whole machine, and reads by this process.
enum class Flow : std::uint8_t {
  DiskRead,
  DiskWritten,
  NetworkReceived,
  NetworkSent,
  ProcessRead,
};
inline constexpr std::size_t kFlows = 5;

/// A value for each flow; absent if the kernel does not count it, never 0. Value.
template <class T>
class PerFlow {
 public:
  const std::optional<T>& operator[](Flow flow) const {
    return m_values[static_cast<std::size_t>(flow)];
  }
  std::optional<T>& operator[](Flow flow) { return m_values[static_cast<std::size_t>(flow)]; }
  bool operator==(const PerFlow&) const = default;

 private:
  std::array<std::optional<T>, kFlows> m_values;
};
/// Bytes so far: of the machine since boot, of the process since its start.
using FlowTotals = PerFlow<std::uint64_t>;

struct FlowSpec {
  Flow flow;
  std::string_view key;     ///< of its total in the event stream
  std::string_view metric;  ///< id of its rate, in bytes per second
  bool ofProcess = false;   ///< of one process; else of the whole machine
};
/// All flows in the order of their numbers.
std::span<const FlowSpec> flowSpecs();

/// Growth of a total; nullopt if one is absent or it decreased, as when a device is removed.
std::optional<std::uint64_t> growthOf(const std::optional<std::uint64_t>& earlier,
                                      const std::optional<std::uint64_t>& later);

/// Only DiskRead and DiskWritten, of all disks with hardware: partitions, RAIDs, mappings, loop
/// devices and disks in memory would count the same bytes again. Of an NVMe disk with several paths
/// each path counts, and the disk that joins them does not. Absent if there is no such disk.
/// `proc`: /proc, `sys`: /sys. Any thread.
FlowTotals diskTotals(const std::filesystem::path& proc, const std::filesystem::path& sys);

/// All flows. The network's are of the interfaces with hardware; if there are none, as in a
/// container, of all but the loopback. An interface that belongs to another one with hardware is
/// counted there. ProcessRead is of this process, of programs that it started, and of theirs, as
/// far as the kernel lets this process read them. Any thread.
FlowTotals flowTotals(const std::filesystem::path& proc, const std::filesystem::path& sys);

}  // namespace millrace
