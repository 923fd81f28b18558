// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/metric_text.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "core/base/text/shown_units.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr int kDigits = 4;
/// From here on all digits of the integer part are shown, and no decimals.
constexpr double kWhole = 999.95;

std::string signedText(double value, const char* unit) {
  if (std::abs(value) < 0.05) return fmt::format("0.0 {}", unit);
  if (std::abs(value) >= 1e6) return fmt::format("{:+.2g} {}", value, unit);
  return fmt::format("{:+.{}f} {}", value, std::abs(value) < 99.95 ? 1 : 0, unit);
}

/// Rounds to two significant digits; an interval is not known more precisely.
double coarse(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::round(value / unit) * unit;
}

/// Position of the unit, including its space; the text's end if there is no unit.
std::size_t unitBegin(std::string_view text) {
  const std::size_t space = text.rfind(' ');
  const bool bare =
      space == std::string_view::npos || (text[space + 1] >= '0' && text[space + 1] <= '9');
  return bare ? text.size() : space;
}

}  // namespace

std::string roundedText(double value) {
  if (value >= kWhole && value < 1e18)
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.{}g}", value, kDigits);
}

double roundedValue(double value) {
  return value >= kWhole && value < 1e18 ? std::round(value) : roundedTo(value, kDigits);
}

std::optional<double> shownRatio(double before, double after) {
  const double divisor = roundedValue(before);
  const double ratio = divisor == 0 ? NAN : roundedValue(after) / divisor;
  return std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
}

std::string metricNumber(const MetricSpec& spec, double value) {
  if (spec.unit == "B") return humanBytes(value);
  if (spec.unit == "B/s") return humanBytes(value) + "/s";
  if (spec.unit == "s") return humanSeconds(value);
  if (spec.unit == "ms") return humanSeconds(value / 1e3);
  if (spec.unit == "share") return fmt::format("{:.1f} %", 100 * value);
  return roundedText(value);
}

double metricShown(const MetricSpec& spec, double value) {
  if (spec.unit == "B" || spec.unit == "B/s") return shownBytes(value);
  if (spec.unit == "s") return shownSeconds(value);
  if (spec.unit == "ms") return shownSeconds(value / 1e3) * 1e3;
  if (spec.unit == "share") return std::round(1e3 * value) / 1e3;
  return roundedValue(value);
}

std::string metricText(const MetricSpec& spec, double value) {
  const std::string number = metricNumber(spec, value);
  const bool own = spec.unit == "B" || spec.unit == "B/s" || spec.unit == "s" ||
                   spec.unit == "ms" || spec.unit == "share" || spec.unit.empty();
  return own ? number : number + " " + std::string(spec.unit);
}

std::string metricSpread(const MetricSpec& spec, double value, double half) {
  const std::string number = metricNumber(spec, value);
  const std::string spread = metricNumber(spec, coarse(half));
  const std::size_t unit = unitBegin(number);
  const bool same = number.substr(unit) == spread.substr(unitBegin(spread));
  return (same ? number.substr(0, unit) : number) + " +-" + spread;
}

std::string metricInterval(const MetricSpec& spec, double value, double low, double high) {
  constexpr double kSymmetric = 0.15;
  const double most = kSymmetric * std::abs(value);
  const bool symmetric = std::abs((high - value) - (value - low)) <= 0.01 * std::abs(value);
  if (symmetric || (high - value <= most && value - low <= most))
    return metricSpread(spec, value, (high - low) / 2);
  return metricNumber(spec, value) + " [" + metricNumber(spec, low) + ", " +
         metricNumber(spec, high) + "]";
}

std::string metricChange(const MetricSpec& spec, double before, double after) {
  const double from = metricShown(spec, before);
  const double to = metricShown(spec, after);
  if (spec.unit == "share") return signedText(100 * (to - from), "pp");
  if (from == 0) return {};
  const double ratio = to / from;
  // "x538" is easier to read than "+53717 %".
  if (ratio >= 10) return "x" + roundedText(ratio);
  return signedText(100 * (ratio - 1), "%");
}

}  // namespace millrace
