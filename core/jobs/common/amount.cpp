// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/amount.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/store/query_value.h"

namespace millrace {

namespace {

/// Beyond it, clocks and the figures of a run would overflow.
constexpr double kMostSeconds = 1e7;

}  // namespace

Result<std::uint64_t> parseBytes(const std::string& text) {
  const Error none{
      fmt::format("`{}` is not an amount of memory; use, for example, 800M, 2G or 1.5GiB", text)};
  const auto prefix = numberPrefix(trimmed(text));
  if (!prefix) return none;
  std::string unit(trimmed(prefix->rest));
  if (unit == "K") unit = "k";
  if (unit.empty() || unit == "k" || unit == "M" || unit == "G" || unit == "T") unit += "B";
  const auto meaning = unitMeaning(unit);
  if (!meaning || meaning->of != UnitMeaning::Of::Bytes || unit.find('/') != std::string::npos)
    return none;
  const double bytes = prefix->number * meaning->factor;
  if (!(bytes >= 1) || bytes >= 1e18) return none;
  return static_cast<std::uint64_t>(std::llround(bytes));
}

Result<double> parseSeconds(const std::string& text) {
  const Error none{
      fmt::format("`{}` is not a length of time; use, for example, 2m, 90s or 1.5 min", text)};
  const auto prefix = numberPrefix(trimmed(text));
  if (!prefix || !(prefix->number > 0)) return none;
  std::string unit(trimmed(prefix->rest));
  if (unit.empty()) unit = "s";
  if (unit == "m") unit = "min";
  const auto meaning = unitMeaning(unit);
  if (!meaning || meaning->of != UnitMeaning::Of::Seconds) return none;
  const double seconds = prefix->number * meaning->factor;
  if (!(seconds <= kMostSeconds))
    return Error{fmt::format("`{}` is too long: at most {:.0f} s", text, kMostSeconds)};
  return seconds;
}

}  // namespace millrace
