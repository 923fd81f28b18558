// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace millrace::trace {

// Dimensions of the timeline, in pixels.
inline constexpr double kNames = 132;    ///< width of the threads' names
inline constexpr double kOverview = 34;  ///< height of the strip of the whole repeat
inline constexpr double kAxis = 20;
inline constexpr double kTop = kOverview + kAxis;
inline constexpr int kLane = 18;
inline constexpr double kRowGap = 8;
inline constexpr double kQueue = 40;

/// The deepest zoom: a hundred nanoseconds.
inline constexpr double kLeastShownNs = 100;

}  // namespace millrace::trace
