// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/proc_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The words of a text that are separated by blanks.
std::vector<std::string_view> words(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<std::string_view> found;
  for (std::size_t from = text.find_first_not_of(kBlank); from != text.npos;) {
    const std::size_t to = std::min(text.find_first_of(kBlank, from), text.size());
    found.push_back(text.substr(from, to - from));
    from = text.find_first_not_of(kBlank, to);
  }
  return found;
}

/// Calls `onLine` for each line until it returns false.
template <class OnLine>
void eachLine(std::string_view text, OnLine&& onLine) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!onLine(text.substr(0, end))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The text after `key` and `separator` in the first line that begins with that key.
std::optional<std::string_view> valueOf(std::string_view text, std::string_view key,
                                        char separator) {
  std::optional<std::string_view> value;
  eachLine(text, [&](std::string_view line) {
    const std::size_t at = line.find(separator);
    if (at == line.npos || trimmed(line.substr(0, at)) != key) return true;
    value = trimmed(line.substr(at + 1));
    return false;
  });
  return value;
}

std::optional<std::uint64_t> numberOf(std::string_view text, std::string_view key) {
  const auto value = valueOf(text, key, ':');
  return value ? number(*value) : std::nullopt;
}

/// "1234 kB" in bytes; the kernel's kB are 1 024 bytes.
std::optional<std::uint64_t> kibibytesOf(std::string_view text, std::string_view key) {
  const auto value = valueOf(text, key, ':');
  if (!value || !value->ends_with(" kB")) return std::nullopt;
  const auto count = number(trimmed(value->substr(0, value->size() - 3)));
  return count ? std::optional(*count * 1024) : std::nullopt;
}

/// Parses a "cpu" or "cpuN" line; steal, the eighth number, exists since Linux 2.6.11.
std::optional<CoreTimes> coreTimes(std::string_view line, double ticksPerSecond) {
  const auto fields = words(line);
  constexpr std::size_t kNumbers = 8;
  if (fields.size() < 1 + kNumbers) return std::nullopt;
  std::array<double, kNumbers> seconds{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const auto ticks = number(fields[i + 1]);
    if (!ticks) return std::nullopt;
    seconds[i] = static_cast<double>(*ticks) / ticksPerSecond;
  }
  CoreTimes times;
  if (const auto core = number(fields[0].substr(3))) times.core = static_cast<int>(*core);
  times.user = seconds[0] + seconds[1];
  times.system = seconds[2] + seconds[5] + seconds[6];
  times.idle = seconds[3];
  times.iowait = seconds[4];
  times.steal = seconds[7];
  return times;
}

}  // namespace

std::optional<MachineTimes> parseMachineTimes(std::string_view text, double ticksPerSecond) {
  MachineTimes times;
  bool found = false;
  eachLine(text, [&](std::string_view line) {
    if (!line.starts_with("cpu")) return false;
    const auto core = coreTimes(line, ticksPerSecond);
    if (!core) return true;
    if (core->core >= 0) times.cores.push_back(*core);
    if (core->core < 0) times.all = *core;
    found = found || core->core < 0;
    return true;
  });
  if (!found) return std::nullopt;
  return times;
}

ProcessMemory parseProcessMemory(std::string_view text) {
  return {kibibytesOf(text, "VmRSS"), kibibytesOf(text, "VmHWM")};
}

ProcessReads parseProcessReads(std::string_view text) {
  return {numberOf(text, "rchar"), numberOf(text, "syscr"), numberOf(text, "read_bytes"),
          numberOf(text, "write_bytes")};
}

std::vector<DeviceBytes> parseDisks(std::string_view text) {
  // "8 0 sda READS MERGED SECTORS MS WRITES MERGED SECTORS ...": a sector is always 512 bytes.
  constexpr std::size_t kName = 2;
  constexpr std::size_t kRead = 5;
  constexpr std::size_t kWritten = 9;
  constexpr std::uint64_t kSector = 512;
  std::vector<DeviceBytes> disks;
  eachLine(text, [&](std::string_view line) {
    const auto fields = words(line);
    if (fields.size() <= kWritten) return true;
    const auto read = number(fields[kRead]);
    const auto written = number(fields[kWritten]);
    if (read && written)
      disks.push_back({std::string(fields[kName]), kSector * *read, kSector * *written});
    return true;
  });
  return disks;
}

std::vector<DeviceBytes> parseInterfaces(std::string_view text) {
  // "eth0:BYTES PACKETS ERRS DROP FIFO FRAME COMPRESSED MULTICAST BYTES ...": no blank is needed
  // after the colon. The two lines of headings have no colon, or no numbers after it.
  constexpr std::size_t kSent = 8;
  std::vector<DeviceBytes> interfaces;
  eachLine(text, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return true;
    const auto fields = words(line.substr(colon + 1));
    if (fields.size() <= kSent) return true;
    const auto received = number(fields.front());
    const auto sent = number(fields[kSent]);
    const std::string_view name = trimmed(line.substr(0, colon));
    if (received && sent && !name.empty())
      interfaces.push_back({std::string(name), *received, *sent});
    return true;
  });
  return interfaces;
}

std::vector<int> parseChildren(std::string_view text) {
  std::vector<int> children;
  for (const std::string_view word : words(text))
    if (const auto id = number(word)) children.push_back(static_cast<int>(*id));
  return children;
}

std::optional<std::int64_t> parseParent(std::string_view text) {
  const std::size_t close = text.rfind(')');
  if (close == text.npos) return std::nullopt;
  const auto fields = words(text.substr(close + 1));
  const auto parent = fields.size() < 2 ? std::nullopt : number(fields[1]);
  if (!parent) return std::nullopt;
  return static_cast<std::int64_t>(*parent);
}

std::optional<ProcessUse> parseProcessUse(std::string_view text, double ticksPerSecond) {
  const std::size_t close = text.rfind(')');
  if (close == text.npos) return std::nullopt;
  const auto fields = words(text.substr(close + 1));
  // Fields 4, 12 and 13, and 14 to 17 of the line.
  constexpr std::array<std::size_t, 7> kFieldPlaces = {1, 9, 10, 11, 12, 13, 14};
  std::array<double, kFieldPlaces.size()> values{};
  for (std::size_t i = 0; i < kFieldPlaces.size(); ++i) {
    const auto value =
        kFieldPlaces[i] < fields.size() ? number(fields[kFieldPlaces[i]]) : std::nullopt;
    if (!value) return std::nullopt;
    values[i] = static_cast<double>(*value);
  }
  return ProcessUse{static_cast<int>(values[0]), (values[3] + values[4]) / ticksPerSecond,
                    (values[5] + values[6]) / ticksPerSecond, static_cast<std::uint64_t>(values[1]),
                    static_cast<std::uint64_t>(values[2])};
}

std::optional<std::uint64_t> parseProportionalMemory(std::string_view text) {
  return kibibytesOf(text, "Pss");
}

std::optional<ProcessTimes> parseProcessTimes(std::string_view text, double ticksPerSecond) {
  // "7 (name) S 1 ...": the name may contain blanks and brackets.
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == text.npos || close == text.npos || close < open) return std::nullopt;
  const auto fields = words(text.substr(close + 1));
  constexpr std::size_t kUser = 11;  // fields 14 and 15 of the line
  if (fields.size() < kUser + 2) return std::nullopt;
  const auto user = number(fields[kUser]);
  const auto system = number(fields[kUser + 1]);
  if (!user || !system) return std::nullopt;
  return ProcessTimes{std::string(text.substr(open + 1, close - open - 1)),
                      static_cast<double>(*user + *system) / ticksPerSecond};
}

std::optional<ThreadSchedule> parseThreadSchedule(std::string_view text) {
  const auto fields = words(text);
  if (fields.size() != 3) return std::nullopt;
  const auto ran = number(fields[0]);
  const auto waited = number(fields[1]);
  const auto slices = number(fields[2]);
  if (!ran || !waited || !slices || *slices == 0) return std::nullopt;
  return ThreadSchedule{static_cast<double>(*ran) * 1e-9, static_cast<double>(*waited) * 1e-9};
}

std::optional<std::uint64_t> parseMemoryTotal(std::string_view text) {
  return kibibytesOf(text, "MemTotal");
}

std::optional<std::uint64_t> parseMemoryAvailable(std::string_view text) {
  return kibibytesOf(text, "MemAvailable");
}

std::optional<std::uint64_t> parseMemoryStat(std::string_view text, std::string_view key) {
  const auto value = valueOf(text, key, ' ');
  return value ? number(*value) : std::nullopt;
}

std::optional<std::string> parseCpuModel(std::string_view text) {
  const auto model = valueOf(text, "model name", ':');
  if (!model || model->empty()) return std::nullopt;
  return std::string(*model);
}

bool parseVirtualised(std::string_view text) {
  const auto flags = valueOf(text, "flags", ':');
  return flags && std::ranges::count(words(*flags), "hypervisor") > 0;
}

std::optional<std::string> parseDistribution(std::string_view text) {
  auto name = valueOf(text, "PRETTY_NAME", '=');
  if (!name) return std::nullopt;
  if (name->size() >= 2 && (name->front() == '"' || name->front() == '\'') &&
      name->back() == name->front())
    name = name->substr(1, name->size() - 2);
  return std::string(*name);
}

std::optional<double> parseCpuMax(std::string_view text) {
  const auto fields = words(text);
  if (fields.size() != 2) return std::nullopt;
  const auto quota = number(fields[0]);
  const auto period = number(fields[1]);
  if (!quota || !period || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<std::uint64_t> parseByteLimit(std::string_view text) { return number(trimmed(text)); }

std::optional<std::string> parseCgroupPath(std::string_view text, std::string_view controller) {
  std::optional<std::string> path;
  eachLine(text, [&](std::string_view line) {
    // "ID:CONTROLLERS:PATH"; the path may contain colons.
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) return true;
    const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
    if (std::ranges::count(controllers, controller) == 0) return true;
    path = std::string(line.substr(second + 1));
    return false;
  });
  return path;
}

}  // namespace millrace
