// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "core/store/run_record.h"

namespace millrace {

// Conversions of our types to those of the tables.

inline std::int64_t raw(RunNumber run) { return static_cast<std::int64_t>(run); }
inline std::int64_t raw(RepeatId repeat) { return static_cast<std::int64_t>(repeat); }

inline WallTime wallNow() {
  return std::chrono::time_point_cast<WallTime::duration>(std::chrono::system_clock::now());
}

/// Milliseconds since 1970, UTC.
inline std::int64_t nowMs() { return wallNow().time_since_epoch().count(); }

}  // namespace millrace
