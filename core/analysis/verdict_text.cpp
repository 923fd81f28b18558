// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The verdict as a sentence.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/verdict.h"
#include "core/base/text/text.h"
#include "core/metrics/metric_text.h"

namespace millrace {

namespace {

/// 0.048 as "4.8".
std::string percent(double share) {
  const double value = 100 * std::abs(share);
  if (value < 0.0995) return fmt::format("{:.2f}", value);
  return value < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

/// "+4.8", or "-4.8" for a negative share.
std::string signedPercent(double share) { return (share < 0 ? "-" : "+") + percent(share); }

/// Ratios from this value on are written as "n times".
constexpr double kTimes = 10;

std::string pText(double p) {
  if (p < 0.001) return "p < 0.001";
  return p < 0.0995 ? fmt::format("p = {:.3f}", p) : fmt::format("p = {:.2f}", p);
}

/// " that both have (642 and 684 samples/s)", because the rates of a side's own repeats, which are
/// shown elsewhere, are others.
std::string pairedText(const Verdict& v) {
  if (v.unpairedA + v.unpairedB == 0 || !v.rateA || !v.rateB) return {};
  return fmt::format(" that both have ({} and {} samples/s)", roundedText(*v.rateA),
                     roundedText(*v.rateB));
}

/// "5 blocks" or "3 and 4 repeats measured apart".
std::string measuredText(const Verdict& v) {
  if (v.how == MeasuredHow::Together) return counted(v.repeatsA, "block") + pairedText(v);
  if (v.repeatsA == v.repeatsB) return counted(v.repeatsA, "repeat") + " a side, measured apart";
  return fmt::format("{} and {} repeats, measured apart", v.repeatsA, v.repeatsB);
}

std::string seenText(const Verdict& v) {
  if (!v.smallestDifference) return {};
  // With a very large spread a percentage would not make sense.
  if (*v.smallestDifference >= 1)
    return fmt::format("; could have detected a factor of {:.3g}", 1 + *v.smallestDifference);
  return fmt::format("; could have detected {} %", percent(*v.smallestDifference));
}

/// Three digits, without an exponent.
std::string factorText(double factor) {
  return factor < 999.5 ? fmt::format("{:.3g}", factor) : fmt::format("{:.0f}", factor);
}

/// "B is 538 times as fast as A [520, 557]"; `ratio` is the faster rate divided by the slower.
std::string timesClaim(double ratio, std::optional<Interval> interval, std::string_view faster,
                       std::string_view slower) {
  std::string text = fmt::format("{} is {} times as fast as {}", faster, factorText(ratio), slower);
  if (interval)
    text += fmt::format(" [{}, {}]", factorText(interval->low), factorText(interval->high));
  return text;
}

/// The interval around the shown ratio, which may differ from the exact one in its last digit.
std::optional<Interval> shownInterval(const Verdict& v) {
  if (!v.ratio95) return std::nullopt;
  const double ratio = shownRatioOf(v).value_or(v.ratio95->low);
  return Interval{std::min(v.ratio95->low, ratio), std::max(v.ratio95->high, ratio)};
}

/// "B is 4.8 % faster than A [3.9, 5.7 %]".
std::string claim(const Verdict& v, std::string_view a, std::string_view b) {
  const double ratio = *shownRatioOf(v);
  const std::optional<Interval> interval = shownInterval(v);
  if (ratio >= kTimes) return timesClaim(ratio, interval, b, a);
  if (ratio <= 1 / kTimes) {
    std::optional<Interval> turned;
    if (interval) turned = Interval{1 / interval->high, 1 / interval->low};
    return timesClaim(1 / ratio, turned, a, b);
  }
  const bool faster = v.kind == VerdictKind::Faster;
  // The shown rates may be equal although the sides differ.
  const bool seen = faster ? ratio > 1 : ratio < 1;
  std::string text =
      fmt::format("{} is {} % {} than {}", b, seen ? percent(ratio - 1) : "less than 0.1",
                  faster ? "faster" : "slower", a);
  if (!interval) return text;
  // Bounds in the direction of the claim; a bound on the other side of 0 keeps its sign.
  const double sign = faster ? 1 : -1;
  const double near = sign * ((faster ? interval->low : interval->high) - 1);
  const double far = sign * ((faster ? interval->high : interval->low) - 1);
  return text + fmt::format(" [{}{}, {} %]", near < 0 ? "-" : "", percent(near), percent(far));
}

/// An interval of the ratio that says nothing: with two blocks it may reach from 0 to 400 times.
bool isMeaningless(const Interval& ratio) {
  constexpr double kWidest = 20;
  return ratio.low <= 0 || ratio.high / ratio.low > kWidest;
}

/// "B at +0.4 % [-0.8, +1.6 %], p = 0.62", without a claim that they differ.
std::string ratesText(const Verdict& v, std::string_view b) {
  const std::optional<double> ratio = shownRatioOf(v);
  const std::optional<Interval> interval = shownInterval(v);
  if (!ratio) return "nothing was measured";
  const bool times = *ratio >= kTimes;
  std::string text = times ? fmt::format("{} at {:.3g} times the rate", b, *ratio)
                           : fmt::format("{} at {} %", b, signedPercent(*ratio - 1));
  if (interval && isMeaningless(*interval))
    text += fmt::format(" (interval not measurable with {})",
                        v.how == MeasuredHow::Together
                            ? counted(v.repeatsA, "block")
                            : counted(std::min(v.repeatsA, v.repeatsB), "repeat"));
  else if (interval && times)
    text += fmt::format(" [{:.3g}, {:.3g}]", interval->low, interval->high);
  else if (interval)
    text += fmt::format(" [{}, {} %]", signedPercent(interval->low - 1),
                        signedPercent(interval->high - 1));
  if (v.p) text += ", " + pText(*v.p);
  return text;
}

/// "; not counted because disturbed: 2 of 3 repeats of B"; empty if there are none.
std::string disturbedText(const Verdict& v, std::string_view a, std::string_view b) {
  std::vector<std::string> sides;
  if (v.disturbedA > 0)
    sides.push_back(fmt::format("{} of {} of {}", v.disturbedA,
                                counted(v.repeatsA + v.disturbedA, "repeat"), a));
  if (v.disturbedB > 0)
    sides.push_back(fmt::format("{} of {} of {}", v.disturbedB,
                                counted(v.repeatsB + v.disturbedB, "repeat"), b));
  return sides.empty() ? "" : "; not counted because disturbed: " + join(sides, " and ");
}

/// "all 3 repeats of B were disturbed".
std::string onlyDisturbedText(const Verdict& v, std::string_view a, std::string_view b) {
  std::vector<std::string> sides;
  const auto add = [&](std::size_t repeats, std::string_view side) {
    sides.push_back(repeats == 1 ? fmt::format("the only repeat of {}", side)
                                 : fmt::format("all {} repeats of {}", repeats, side));
  };
  if (v.onlyDisturbedA) add(v.repeatsA, a);
  if (v.onlyDisturbedB) add(v.repeatsB, b);
  const bool one = sides.size() == 1 && (v.onlyDisturbedA ? v.repeatsA : v.repeatsB) == 1;
  return join(sides, " and ") + (one ? " was disturbed" : " were disturbed");
}

std::string tooFewText(const Verdict& v, std::string_view a, std::string_view b) {
  if (!v.ratio)
    return fmt::format("too few repeats: {} has {} and {} has {}{}", a, v.repeatsA, b, v.repeatsB,
                       disturbedText(v, a, b));
  if (v.onlyDisturbedA || v.onlyDisturbedB)
    return fmt::format("no verdict on {} and {}: {}; {}; measure both again", a, b, ratesText(v, b),
                       onlyDisturbedText(v, a, b));
  if (v.how == MeasuredHow::Together)
    return fmt::format(
        "too few blocks to decide whether {} is faster or slower than {}: {} after {}; {} more "
        "needed",
        b, a, ratesText(v, b), measuredText(v), v.moreWanted);
  return fmt::format(
      "too few repeats to decide whether {} is faster or slower than {}: {}; with fewer than {} on "
      "a side only differences above {:.0f} % count{}; measure both again",
      b, a, ratesText(v, b), kLeastRepeats, 100 * kFewRepeatsLimit, disturbedText(v, a, b));
}

}  // namespace

std::optional<double> shownRatioOf(const Verdict& verdict) {
  if (!verdict.rateA || !verdict.rateB) return verdict.ratio;
  const std::optional<double> shown = shownRatio(*verdict.rateA, *verdict.rateB);
  return shown ? shown : verdict.ratio;
}

std::string_view nameOf(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Faster: return "faster";
    case VerdictKind::Slower: return "slower";
    case VerdictKind::Same: return "~";
    case VerdictKind::TooFew: return "too few";
    case VerdictKind::NotAlike: break;
  }
  return "not alike";
}

std::string describe(const Verdict& v, std::string_view a, std::string_view b) {
  switch (v.kind) {
    case VerdictKind::TooFew: return tooFewText(v, a, b);
    case VerdictKind::NotAlike:
      return fmt::format("not alike, so no verdict (what differs: {}); by the rates alone {}, {}",
                         joinWords(v.differs), ratesText(v, b), measuredText(v));
    case VerdictKind::Same:
      return fmt::format("no difference seen between {} and {}: {}, {}{}", a, b, ratesText(v, b),
                         measuredText(v), seenText(v));
    default: break;
  }
  std::string text = claim(v, a, b);
  if (v.p) text += ", " + pText(*v.p);
  return text + ", " + measuredText(v) + seenText(v);
}

}  // namespace millrace
