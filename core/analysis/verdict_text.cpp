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

/// " in common, at 642 and 684 samples/s", because the rates of a side's own repeats, which are
/// shown elsewhere, are others.
std::string pairedText(const Verdict& v) {
  if (v.unpairedA + v.unpairedB == 0 || !v.rateA || !v.rateB) return {};
  return fmt::format(" in common, at {} and {} samples/s", roundedText(*v.rateA),
                     roundedText(*v.rateB));
}

/// "5 blocks" or "3 and 4 repeats, measured apart".
std::string measuredText(const Verdict& v) {
  if (v.how == MeasuredHow::Together) return counted(v.repeatsA, "block") + pairedText(v);
  if (v.repeatsA == v.repeatsB) return counted(v.repeatsA, "repeat") + " a side, measured apart";
  return fmt::format("{} and {} repeats, measured apart", v.repeatsA, v.repeatsB);
}

std::string seenText(const Verdict& v) {
  if (!v.smallestDifference) return {};
  // With a very large spread a percentage would not make sense.
  if (*v.smallestDifference >= 1)
    return fmt::format("; a factor of {:.3g} or more could be detected", 1 + *v.smallestDifference);
  return fmt::format("; a difference of {} % or more could be detected",
                     percent(*v.smallestDifference));
}

/// Three digits, without an exponent.
std::string factorText(double factor) {
  return factor < 999.5 ? fmt::format("{:.3g}", factor) : fmt::format("{:.0f}", factor);
}

/// " (95 % interval 3.9 to 5.7 %; p = 0.002; 5 blocks)" of the parts that are not empty.
std::string detailText(const Verdict& v, const std::string& interval, const std::string& measured) {
  std::vector<std::string> parts;
  if (!interval.empty()) parts.push_back(interval);
  if (v.p) parts.push_back(pText(*v.p));
  if (!measured.empty()) parts.push_back(measured);
  return parts.empty() ? "" : " (" + join(parts, "; ") + ")";
}

/// The interval around the shown ratio, which may differ from the exact one in its last digit.
std::optional<Interval> shownInterval(const Verdict& v) {
  if (!v.ratio95) return std::nullopt;
  const double ratio = shownRatioOf(v).value_or(v.ratio95->low);
  return Interval{std::min(v.ratio95->low, ratio), std::max(v.ratio95->high, ratio)};
}

/// "B is 538 times as fast as A" with its details; `ratio` is the faster rate divided by the
/// slower.
std::string timesClaim(const Verdict& v, double ratio, std::optional<Interval> interval,
                       std::string_view faster, std::string_view slower) {
  std::string text = fmt::format("{} is {} times as fast as {}", faster, factorText(ratio), slower);
  return text + detailText(v,
                           !interval
                               ? ""
                               : fmt::format("95 % interval {} to {} times",
                                             factorText(interval->low), factorText(interval->high)),
                           measuredText(v));
}

/// "B is 4.8 % faster than A" with its details.
std::string claim(const Verdict& v, std::string_view a, std::string_view b) {
  const double ratio = *shownRatioOf(v);
  const std::optional<Interval> interval = shownInterval(v);
  if (ratio >= kTimes) return timesClaim(v, ratio, interval, b, a);
  if (ratio <= 1 / kTimes) {
    std::optional<Interval> turned;
    if (interval) turned = Interval{1 / interval->high, 1 / interval->low};
    return timesClaim(v, 1 / ratio, turned, a, b);
  }
  const bool faster = v.kind == VerdictKind::Faster;
  // The shown rates may be equal although the sides differ.
  const bool seen = faster ? ratio > 1 : ratio < 1;
  const std::string text =
      fmt::format("{} is {} % {} than {}", b, seen ? percent(ratio - 1) : "less than 0.1",
                  faster ? "faster" : "slower", a);
  if (!interval) return text + detailText(v, "", measuredText(v));
  // Bounds in the direction of the claim; a bound on the other side of 0 keeps its sign.
  const double sign = faster ? 1 : -1;
  const double near = sign * ((faster ? interval->low : interval->high) - 1);
  const double far = sign * ((faster ? interval->high : interval->low) - 1);
  return text + detailText(v,
                           fmt::format("95 % interval {}{} to {} %", near < 0 ? "-" : "",
                                       percent(near), percent(far)),
                           measuredText(v));
}

/// An interval of the ratio that says nothing: with two blocks it may reach from 0 to 400 times.
bool isMeaningless(const Interval& ratio) {
  constexpr double kWidest = 20;
  return ratio.low <= 0 || ratio.high / ratio.low > kWidest;
}

std::string intervalText(const Interval& interval, bool times) {
  if (isMeaningless(interval)) return "too few for an interval";
  if (times)
    return fmt::format("95 % interval {:.3g} to {:.3g} times", interval.low, interval.high);
  return fmt::format("95 % interval {} to {} %", signedPercent(interval.low - 1),
                     signedPercent(interval.high - 1));
}

/// "B is at +0.4 % (95 % interval -0.8 to +1.6 %; p = 0.62; 5 blocks)", without a claim that they
/// differ. `against`: the other side, if the words before do not name it.
std::string ratesText(const Verdict& v, std::string_view b, const std::string& measured,
                      std::string_view against = {}) {
  const std::optional<double> ratio = shownRatioOf(v);
  const std::optional<Interval> interval = shownInterval(v);
  if (!ratio) return "nothing was measured";
  const bool times = *ratio >= kTimes;
  std::string text = times ? fmt::format("{} has {:.3g} times the rate", b, *ratio)
                           : fmt::format("{} is at {} %", b, signedPercent(*ratio - 1));
  if (!against.empty()) text += fmt::format(" {} {}", times ? "of" : "compared with", against);
  return text + detailText(v, interval ? intervalText(*interval, times) : "", measured);
}

/// "; 2 of 3 repeats of B were disturbed and do not count"; empty if there are none.
std::string disturbedText(const Verdict& v, std::string_view a, std::string_view b) {
  std::vector<std::string> sides;
  const auto add = [&](std::size_t disturbed, std::size_t counts, std::string_view side) {
    if (disturbed > 0)
      sides.push_back(
          fmt::format("{} of {} of {}", disturbed, counted(counts + disturbed, "repeat"), side));
  };
  add(v.disturbedA, v.repeatsA, a);
  add(v.disturbedB, v.repeatsB, b);
  const bool one = v.disturbedA + v.disturbedB == 1;
  return sides.empty() ? ""
                       : fmt::format("; {} {} disturbed and {} not count", join(sides, " and "),
                                     one ? "was" : "were", one ? "does" : "do");
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

/// "B has no repeat", "neither A nor B has a repeat".
std::string nothingText(const Verdict& v, std::string_view a, std::string_view b) {
  if (v.repeatsA + v.repeatsB == 0) return fmt::format("neither {} nor {} has a repeat", a, b);
  return fmt::format("{} has no repeat", v.repeatsA == 0 ? a : b);
}

std::string tooFewText(const Verdict& v, std::string_view a, std::string_view b) {
  if (!v.ratio)
    return fmt::format("no verdict: {} that counts{}", nothingText(v, a, b),
                       disturbedText(v, a, b));
  if (v.onlyDisturbedA || v.onlyDisturbedB)
    return fmt::format("no verdict, because {}; by the rates alone, {}; measure both again",
                       onlyDisturbedText(v, a, b), ratesText(v, b, "", a));
  if (v.how == MeasuredHow::Together)
    return fmt::format("{} {} too few to tell whether {} is faster than {}; {} needed; so far, {}",
                       measuredText(v), v.repeatsA == 1 ? "is" : "are", b, a,
                       fmt::format("{} more {}", v.moreWanted, v.moreWanted == 1 ? "is" : "are"),
                       ratesText(v, b, ""));
  return fmt::format(
      "too few repeats to tell whether {} is faster than {}: {}, and with fewer than {} repeats a "
      "side only differences above {:.0f} % count{}; measure both again",
      b, a, ratesText(v, b, ""), kLeastRepeats, 100 * kFewRepeatsLimit, disturbedText(v, a, b));
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
      return fmt::format("no verdict, because the conditions differ ({}); by the rates alone, {}",
                         join(v.differs, "; "), ratesText(v, b, measuredText(v), a));
    case VerdictKind::Same:
      return fmt::format("no difference was found between {} and {}: {}{}", a, b,
                         ratesText(v, b, measuredText(v)), seenText(v));
    default: break;
  }
  return claim(v, a, b) + seenText(v);
}

}  // namespace millrace
