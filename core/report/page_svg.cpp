// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/page_svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/metrics/metric_text.h"
#include "core/report/html_text.h"

namespace millrace {

double Axis::at(double value, double from, double to) const {
  return from + (value - low) / (high - low) * (to - from);
}

std::vector<double> Axis::ticks() const {
  std::vector<double> values;
  for (int i = 0; low + i * step <= high + 1e-9 * step; ++i) values.push_back(low + i * step);
  return values;
}

namespace {

/// 1, 2 or 5 times a power of ten.
double roundStep(double span) {
  const double raw = span / 5;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) return factor * power;
  return 10 * power;
}

}  // namespace

Axis axisFor(double low, double high, bool mayZoom) {
  Axis axis;
  if (!(high > 0)) return axis;
  const double span = high > low ? high - low : high;
  const bool zoom = mayZoom && low > 0.5 * high;
  const double room = zoom ? 0.15 * std::max(span, 0.01 * high) : 0;
  axis.step = roundStep(zoom ? span + 2 * room : high);
  axis.low = zoom ? std::floor((low - room) / axis.step) * axis.step : 0;
  axis.high = std::ceil((high + room) / axis.step) * axis.step;
  return axis;
}

std::string svgElement(const char* id, double height, const std::string& title,
                       const std::string& desc, const std::string& content) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">"
      "<title id=\"{2}-t\">{3}</title><desc id=\"{2}-d\">{4}</desc>\n{5}</svg>\n",
      kPlotWidth, height, id, htmlText(title), htmlText(desc), content);
}

std::string svgLine(double x1, double y1, double x2, double y2, const std::string& classes) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2,
      y2, classes);
}

std::string svgText(double x, double y, const char* classes, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, classes,
                     htmlText(text));
}

std::string svgDot(double x, double y, const std::string& series) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" class=\"{} dot\"/>\n", x, y,
                     series);
}

std::string svgBar(double x, double y, double width, double height, const std::string& classes) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\"/>\n", x, y,
      std::max(0.0, width), height, classes);
}

std::string verticalGrid(const Axis& axis, double bottom, const std::string& unit) {
  std::string text;
  for (const double tick : axis.ticks()) {
    const double x = axis.at(tick, kPlotLeft, kPlotRight);
    text +=
        svgLine(x, 4, x, bottom, "grid") + svgText(x, bottom + 14, "tick mid", roundedText(tick));
  }
  return text + svgText(kPlotRight + 24, bottom + 14, "tick", unit);
}

}  // namespace millrace
