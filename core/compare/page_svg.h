// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace {

// What the page's plots are drawn with. Lengths are in the units of the view box, kPlotWidth wide;
// text is foreign text and made safe here, classes are our own words.

inline constexpr double kPlotWidth = 720;
inline constexpr double kPlotLeft = 150;   ///< of the plot's area: names stand before it
inline constexpr double kPlotRight = 590;  ///< figures stand behind it
inline constexpr double kPlotRow = 30;

/// An axis with round ticks.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 0.2;

  double at(double value, double from, double to) const;
  std::vector<double> ticks() const;
};

/// From 0, or, where it `mayZoom`, from below `low` when that is over half of `high`.
Axis axisFor(double low, double high, bool mayZoom);

/// The whole plot, with its words for those who do not see it; `id` is unique in the page.
std::string svgElement(const char* id, double height, const std::string& title,
                       const std::string& desc, const std::string& content);
std::string svgLine(double x1, double y1, double x2, double y2, const std::string& classes);
std::string svgText(double x, double y, const char* classes, const std::string& text);
/// The open circle of a single measurement; `series` is its colour's class.
std::string svgDot(double x, double y, const std::string& series);
std::string svgBar(double x, double y, double width, double height, const std::string& classes);
/// Vertical lines at the ticks down to `bottom`, and their figures below it.
std::string verticalGrid(const Axis& axis, double bottom, const std::string& unit);

}  // namespace millrace
