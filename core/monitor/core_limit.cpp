// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/core_limit.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fmt/format.h>

namespace millrace {

namespace {

Error refused(const char* call) {
  return Error{fmt::format("cannot limit the cores: {}: {}", call, std::strerror(errno))};
}

}  // namespace

int usableCores() {
  cpu_set_t may;
  if (::sched_getaffinity(0, sizeof may, &may) == 0) return CPU_COUNT(&may);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Result<std::string> limitCores(int count) {
  if (count < 1) return Error{"at least one core is needed"};
  cpu_set_t may;
  if (::sched_getaffinity(0, sizeof may, &may) != 0) return refused("sched_getaffinity");
  if (CPU_COUNT(&may) <= count) return std::string();
  cpu_set_t kept;
  CPU_ZERO(&kept);
  std::string text;
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&kept) < count; ++core) {
    if (!CPU_ISSET(core, &may)) continue;
    CPU_SET(core, &kept);
    text += fmt::format("{}{}", text.empty() ? "" : ",", core);
  }
  if (::sched_setaffinity(0, sizeof kept, &kept) != 0) return refused("sched_setaffinity");
  return text;
}

}  // namespace millrace
