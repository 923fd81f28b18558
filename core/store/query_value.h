// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// What a unit measures, and how many of the base (bytes, seconds, the whole) one is.
struct UnitMeaning {
  enum class Of : std::uint8_t { Bytes, Seconds, Share } of = Of::Bytes;
  double factor = 1;
};

/// "MiB", "MB", "ms", "min", "days", "%"; those of fields too: "bytes", "B/s", "seconds", "share".
/// nullopt for anything else.
std::optional<UnitMeaning> unitMeaning(std::string_view unit);

/// A number in front of `text` ("64", "1.5e3", "-2"), and what stands behind it.
struct NumberPrefix {
  double number = 0;
  std::string_view rest;
};
std::optional<NumberPrefix> numberPrefix(std::string_view text);

/// A span of time that a word names: from its first moment to the one after its last.
struct WallTimeSpan {
  WallTime begin{};
  WallTime end{};
};

/// "2026-11-01", "2026-11-01T10:30", "2026-11-01 10:30:05", "today", "yesterday", "now"; in local
/// time, with Z behind the time in UTC. nullopt for anything else, such as the 31st of February.
std::optional<WallTimeSpan> timeNamed(std::string_view text, WallTime now);

}  // namespace millrace
