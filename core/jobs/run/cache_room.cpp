// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/cache_room.h"

#include <algorithm>

#include "core/monitor/environment.h"

namespace millrace {

double cacheRoom() {
  constexpr double kShare = 0.4;
  constexpr double kUnknown = 1e9;
  const Environment machine = readEnvironment();
  double bytes = kUnknown;
  if (machine.memoryBytes) bytes = kShare * static_cast<double>(*machine.memoryBytes);
  if (machine.memoryLimitBytes)
    bytes = std::min(bytes, kShare * static_cast<double>(*machine.memoryLimitBytes));
  return bytes;
}

}  // namespace millrace
