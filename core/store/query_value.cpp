// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace millrace {

namespace {

using Of = UnitMeaning::Of;

struct NamedUnit {
  std::string_view name;
  UnitMeaning meaning;
};

constexpr std::array kUnits = {
    NamedUnit{"B", {Of::Bytes, 1}},           NamedUnit{"bytes", {Of::Bytes, 1}},
    NamedUnit{"B/s", {Of::Bytes, 1}},         NamedUnit{"kB", {Of::Bytes, 1e3}},
    NamedUnit{"MB", {Of::Bytes, 1e6}},        NamedUnit{"GB", {Of::Bytes, 1e9}},
    NamedUnit{"TB", {Of::Bytes, 1e12}},       NamedUnit{"kB/s", {Of::Bytes, 1e3}},
    NamedUnit{"MB/s", {Of::Bytes, 1e6}},      NamedUnit{"GB/s", {Of::Bytes, 1e9}},
    NamedUnit{"KiB", {Of::Bytes, 0x1p10}},    NamedUnit{"MiB", {Of::Bytes, 0x1p20}},
    NamedUnit{"GiB", {Of::Bytes, 0x1p30}},    NamedUnit{"TiB", {Of::Bytes, 0x1p40}},
    NamedUnit{"MiB/s", {Of::Bytes, 0x1p20}},  NamedUnit{"GiB/s", {Of::Bytes, 0x1p30}},
    NamedUnit{"ns", {Of::Seconds, 1e-9}},     NamedUnit{"us", {Of::Seconds, 1e-6}},
    NamedUnit{"µs", {Of::Seconds, 1e-6}},     NamedUnit{"ms", {Of::Seconds, 1e-3}},
    NamedUnit{"s", {Of::Seconds, 1}},         NamedUnit{"second", {Of::Seconds, 1}},
    NamedUnit{"seconds", {Of::Seconds, 1}},   NamedUnit{"min", {Of::Seconds, 60}},
    NamedUnit{"minute", {Of::Seconds, 60}},   NamedUnit{"minutes", {Of::Seconds, 60}},
    NamedUnit{"h", {Of::Seconds, 3600}},      NamedUnit{"hour", {Of::Seconds, 3600}},
    NamedUnit{"hours", {Of::Seconds, 3600}},  NamedUnit{"d", {Of::Seconds, 86400}},
    NamedUnit{"day", {Of::Seconds, 86400}},   NamedUnit{"days", {Of::Seconds, 86400}},
    NamedUnit{"week", {Of::Seconds, 604800}}, NamedUnit{"weeks", {Of::Seconds, 604800}},
    NamedUnit{"%", {Of::Share, 0.01}},        NamedUnit{"share", {Of::Share, 1}},
};

WallTime wallTimeOf(std::tm parts, bool utc) {
  const std::time_t seconds = utc ? timegm(&parts) : mktime(&parts);
  return WallTime(std::chrono::seconds(seconds));
}

WallTimeSpan dayOf(std::tm day, int offset) {
  day.tm_hour = day.tm_min = day.tm_sec = 0;
  day.tm_isdst = -1;
  day.tm_mday += offset;
  std::tm next = day;
  ++next.tm_mday;
  return {wallTimeOf(day, false), wallTimeOf(next, false)};
}

/// Parses `count` digits at the beginning of `text` and removes them.
bool takeDigits(std::string_view& text, std::size_t count, int& number) {
  if (text.size() < count) return false;
  const auto read = std::from_chars(text.data(), text.data() + count, number);
  if (read.ec != std::errc() || read.ptr != text.data() + count || text.front() == '-')
    return false;
  text.remove_prefix(count);
  return true;
}

bool takeMark(std::string_view& text, std::string_view marks) {
  if (text.empty() || marks.find(text.front()) == marks.npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Parses and removes the date at the beginning of `text`; false for a day that does not exist.
bool takeDate(std::string_view& text, std::tm& date) {
  const bool read = takeDigits(text, 4, date.tm_year) && takeMark(text, "-") &&
                    takeDigits(text, 2, date.tm_mon) && takeMark(text, "-") &&
                    takeDigits(text, 2, date.tm_mday);
  if (!read) return false;
  const std::chrono::year_month_day day(std::chrono::year(date.tm_year),
                                        std::chrono::month(static_cast<unsigned>(date.tm_mon)),
                                        std::chrono::day(static_cast<unsigned>(date.tm_mday)));
  date.tm_year -= 1900;
  date.tm_mon -= 1;
  date.tm_isdst = -1;
  return day.ok();
}

}  // namespace

std::optional<UnitMeaning> unitMeaning(std::string_view unit) {
  const auto found = std::ranges::find(kUnits, unit, &NamedUnit::name);
  if (found == kUnits.end()) return std::nullopt;
  return found->meaning;
}

std::optional<NumberPrefix> numberPrefix(std::string_view text) {
  NumberPrefix prefix;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), prefix.number);
  // from_chars also accepts "inf" and "nan".
  if (read.ec != std::errc() || !std::isfinite(prefix.number)) return std::nullopt;
  prefix.rest = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
  return prefix;
}

std::optional<WallTimeSpan> timeNamed(std::string_view text, WallTime now) {
  if (text == "now") return WallTimeSpan{now, now};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  if (text == "today") return dayOf(parts, 0);
  if (text == "yesterday") return dayOf(parts, -1);
  parts = {};
  if (!takeDate(text, parts)) return std::nullopt;
  if (text.empty()) return dayOf(parts, 0);
  const bool time = takeMark(text, "T ") && takeDigits(text, 2, parts.tm_hour) &&
                    takeMark(text, ":") && takeDigits(text, 2, parts.tm_min);
  if (!time || parts.tm_hour > 23 || parts.tm_min > 59) return std::nullopt;
  std::chrono::seconds length{60};
  if (takeMark(text, ":")) {
    length = std::chrono::seconds{1};
    if (!takeDigits(text, 2, parts.tm_sec) || parts.tm_sec > 60) return std::nullopt;
  }
  const bool utc = takeMark(text, "Z");
  if (!text.empty()) return std::nullopt;
  const WallTime begin = wallTimeOf(parts, utc);
  return WallTimeSpan{begin, begin + length};
}

}  // namespace millrace
