// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace millrace::canvas {

// The measures of docs/look.md, in scene pixels.
inline constexpr double kGrid = 8;
inline constexpr double kDotGrid = 24;
inline constexpr double kNodeWidth = 200;
inline constexpr double kNodeHeight = 56;
inline constexpr double kBand = 38;
inline constexpr double kTextLeft = 48;
inline constexpr double kTextRight = 14;
/// A longer first setting, such as a file's name, is elided.
inline constexpr double kWidestSetting = 194;
inline constexpr double kNodeRadius = 6;
inline constexpr double kPort = 11;
inline constexpr double kStrip = 38;  ///< the live strip that hangs below a node while running
inline constexpr double kGapX = 32;
inline constexpr double kQueueChip = 80;  ///< more room on a wire that shows a queue
inline constexpr double kGapY = 42;
inline constexpr double kRegionHead = 32;
inline constexpr double kRegionPad = 24;
inline constexpr double kRegionTop = 16;  ///< between the head and the first row
inline constexpr double kRegionBottom = kStrip + kRegionTop - kGrid;  ///< after the last row
inline constexpr double kRegionRadius = 8;
inline constexpr double kChoicePad = 8;
inline constexpr double kChoiceTab = 18;
inline constexpr double kWireRadius = 12;
inline constexpr double kStub = 16;  ///< a wire's straight piece at a port
inline constexpr int kNodesInRow = 4;
inline constexpr int kFitMargin = 16;  ///< around everything, in view pixels

// In view pixels, at any zoom.
inline constexpr double kSnap = 24;
inline constexpr double kWireReach = 8;

/// Between a text and the edge of its strip, chip or hint.
inline constexpr double kTextPad = 8;

inline constexpr double kSecondLineFrom = 0.6;  ///< zoom under which no second line is drawn
inline constexpr double kTextFrom = 0.3;        ///< zoom under which no text or icon is drawn
inline constexpr double kReadable = 0.8;        ///< the least zoom that the program chooses itself
inline constexpr double kZoomMin = 0.1;
inline constexpr double kZoomMax = 4;

}  // namespace millrace::canvas
