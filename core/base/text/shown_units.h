// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace {

// The values that the texts of core/base/text/text.h show, so that a ratio beside two texts can be
// that of the shown values.

/// The value that `digits` significant digits show.
double roundedTo(double value, int digits);
/// The bytes that humanBytes shows.
double shownBytes(double bytes);
/// The seconds that humanSeconds shows.
double shownSeconds(double seconds);

inline constexpr int kShownDigits = 3;
/// From here on humanBytes shows kShownDigits digits; fewer bytes are whole.
inline constexpr double kRoundedBytes = 999.5;
/// From here on humanSeconds shows minutes and whole seconds, or hours and whole minutes.
inline constexpr double kShownMinutes = 120;
inline constexpr double kShownHours = 7200;

}  // namespace millrace
