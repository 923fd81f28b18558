// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shown_units.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace millrace {

double roundedTo(double value, int digits) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

double shownBytes(double bytes) {
  return bytes >= kRoundedBytes ? roundedTo(bytes, kShownDigits) : std::round(bytes);
}

double shownSeconds(double seconds) {
  if (seconds < 1e-6) return std::round(seconds * 1e9) / 1e9;
  if (seconds < kShownMinutes) return roundedTo(seconds, kShownDigits);
  const double whole = std::round(seconds);
  return whole < kShownHours ? whole : std::floor(whole / 60) * 60;
}

}  // namespace millrace
