// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/liveness.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include <filesystem>

#include <unistd.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::string contentOf(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::optional<std::int64_t> startTicksOfProcess(std::int64_t pid) {
  return startTicksOf(contentOf("/proc/" + std::to_string(pid) + "/stat"));
}

}  // namespace

WriterId thisWriter() {
  WriterId writer;
  writer.bootId = trimmed(contentOf("/proc/sys/kernel/random/boot_id"));
  std::error_code unknown;
  writer.pidNamespace = std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
  writer.pid = getpid();
  writer.startTicks = startTicksOfProcess(writer.pid).value_or(0);
  return writer;
}

std::optional<std::int64_t> startTicksOf(std::string_view procStat) {
  const std::size_t nameEnd = procStat.rfind(')');
  if (nameEnd == procStat.npos || nameEnd + 2 > procStat.size()) return std::nullopt;
  // Field 3 follows the name and a space.
  const auto fields = split(procStat.substr(nameEnd + 2), ' ');
  constexpr std::size_t kStart = 22 - 3;
  if (fields.size() <= kStart) return std::nullopt;
  // A zombie still has an entry but does not write any more.
  if (fields[0] == "Z" || fields[0] == "X") return std::nullopt;
  const std::string& text = fields[kStart];
  std::int64_t ticks = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), ticks);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return ticks;
}

bool isAlive(const WriterId& writer, WallTime heartbeat, const WriterId& reader, WallTime now) {
  const bool sameProcesses =
      writer.bootId == reader.bootId && writer.pidNamespace == reader.pidNamespace;
  if (!sameProcesses) return now - heartbeat < kHeartbeatLimit;
  return startTicksOfProcess(writer.pid) == writer.startTicks;
}

}  // namespace millrace
