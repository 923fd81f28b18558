// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace {

// Drawing functions for the page's plots. Lengths are in units of the view box, which is kPlotWidth
// wide. Text is escaped here; class names are not.

inline constexpr double kPlotWidth = 720;
inline constexpr double kPlotLeft = 150;   ///< left edge of the plot area; labels are to the left
inline constexpr double kPlotRight = 570;  ///< right edge of the plot area; values are to the right

/// An axis with round tick values.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 0.2;

  double at(double value, double from, double to) const;
  std::vector<double> ticks() const;
};

/// An axis that starts at 0, or with `mayZoom` just below `low` if `low` is more than half of
/// `high`.
Axis axisFor(double low, double high, bool mayZoom);

/// The whole plot with a title and a description for screen readers; `id` must be unique in the
/// page.
std::string svgElement(const char* id, double height, const std::string& title,
                       const std::string& desc, const std::string& content);
std::string svgLine(double x1, double y1, double x2, double y2, const std::string& classes);
std::string svgText(double x, double y, const char* classes, const std::string& text);
/// The circle of a single measurement; `series` is the class of its colour.
std::string svgDot(double x, double y, const std::string& series);
std::string svgBar(double x, double y, double width, double height, const std::string& classes);
/// Vertical lines at the ticks down to `bottom`, with their values below.
std::string verticalGrid(const Axis& axis, double bottom, const std::string& unit);

}  // namespace millrace
