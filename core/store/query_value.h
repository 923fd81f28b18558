// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// What a unit measures, and its size in base units (bytes, seconds, the whole).
struct UnitMeaning {
  enum class Of : std::uint8_t { Bytes, Seconds, Share } of = Of::Bytes;
  double factor = 1;
};

/// Knows "MiB", "MB", "ms", "min", "days", "%" and the units of fields: "bytes", "B/s", "seconds",
/// "share". nullopt for anything else.
std::optional<UnitMeaning> unitMeaning(std::string_view unit);

/// A number at the beginning of a text ("64", "1.5e3", "-2") and the rest of the text.
struct NumberPrefix {
  double number = 0;
  std::string_view rest;
};
std::optional<NumberPrefix> numberPrefix(std::string_view text);

/// The time span of a word: from its first moment to the moment after its last.
struct WallTimeSpan {
  WallTime begin{};
  WallTime end{};
};

/// Parses "2026-11-01", "2026-11-01T10:30", "2026-11-01 10:30:05", "today", "yesterday", "now"; in
/// local time, or in UTC with a Z after the time. nullopt for anything else, such as 31 February.
std::optional<WallTimeSpan> timeNamed(std::string_view text, WallTime now);

}  // namespace millrace
