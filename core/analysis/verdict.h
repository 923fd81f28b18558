// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/statistics.h"

namespace millrace {

// Whether B is faster than A, by the rules of docs/reference/verdict.md. Pure functions of rates in
// samples/s, one for each repeat; any thread. Rates that are not finite and above 0 count as not
// measured; their block is left out.

enum class VerdictKind {
  Faster,
  Slower,
  Same,     ///< `~`: measured well enough, no difference found
  TooFew,   ///< too few repeats or blocks for a verdict
  NotAlike  ///< the two were not measured under the same conditions
};
/// "faster", "slower", "~", "too few", "not alike".
std::string_view nameOf(VerdictKind kind);

enum class MeasuredHow { Together, Apart };

struct Verdict {
  VerdictKind kind = VerdictKind::TooFew;
  MeasuredHow how = MeasuredHow::Apart;
  /// Geometric means of the rates that were judged; absent for a side without one.
  std::optional<double> rateA;
  std::optional<double> rateB;
  /// rateB / rateA. Absent unless both sides have a rate.
  std::optional<double> ratio;
  /// 95 % interval of the ratio. Absent if a side has fewer than three repeats.
  std::optional<Interval> ratio95;
  /// p value of the paired t test; absent if measured apart.
  std::optional<double> p;
  /// The smallest difference that the rule would find in nine of ten such measurements, given the
  /// observed spread: 0.016 means 1.6 %. Absent if the spread is not known.
  std::optional<double> smallestDifference;
  std::size_t repeatsA = 0;
  std::size_t repeatsB = 0;  ///< if measured together, both are the number of blocks
  /// Measured together: repeats of the sides that are in no common block, so that the rates of the
  /// sides' own repeats are others than rateA and rateB. Filled in by the caller.
  std::size_t unpairedA = 0;
  std::size_t unpairedB = 0;
  /// Measured apart: repeats that were left out because something disturbed them. Filled in by the
  /// caller.
  std::size_t disturbedA = 0;
  std::size_t disturbedB = 0;
  /// Measured apart: every repeat of the side was disturbed, so there is no verdict.
  bool onlyDisturbedA = false;
  bool onlyDisturbedB = false;
  std::size_t moreWanted = 0;        ///< measured together: blocks still needed for a decision
  std::vector<std::string> differs;  ///< for NotAlike: what differs
};

// ---- Measured together: in each block one repeat of each side, in random order ----

/// Number of blocks: first `blocks`, then `more` if the first do not decide. {n, 0}: a fixed
/// number.
struct BlockRule {
  std::size_t blocks = 5;
  std::size_t more = 5;
};
inline constexpr std::size_t kLeastBlocks = 5;
/// The sides differ if p over all blocks is below this.
inline constexpr double kBlockLevel = 0.015;
/// After the first blocks, more blocks are run if p is below this.
inline constexpr double kMoreBlocksLevel = 0.3;

/// Block i has the rates a[i] and b[i]. Paired t test on logarithms, so whatever slows a whole
/// block cancels. Group-sequential rule with two looks (idea: Pocock, Biometrika 1977): equal sides
/// are called different in 2.7 of 100 cases over both looks together. The interval is that of a
/// single look over all blocks so far. Fewer than kLeastBlocks give no verdict, whatever the rule.
Verdict judgeTogether(std::span<const double> a, std::span<const double> b,
                      const BlockRule& rule = {});

// ---- Measured apart: each side in its own session ----

/// Standard deviation of the logarithms of a pipeline's rates between sessions.
struct SessionSpread {
  double sigma = 0.02;
  std::size_t sessions = 0;  ///< number of sessions it was estimated from; 0: the default
};
inline constexpr std::size_t kLeastSessions = 5;

/// Estimated from one mean rate for each session of the same pipeline, settings and machine; the
/// default for fewer than kLeastSessions. A session is a period of measuring without a long pause,
/// so runs within the same minutes share it. The variance within sessions is not subtracted: with
/// few sessions the difference is often 0, and the rule would report differences that do not exist.
SessionSpread spreadOfSessions(std::span<const double> sessionRates);

/// Limit for log(B / A) in standard errors, sqrt(sa²/na + sb²/nb + 2 sigma²), for at least 3
/// repeats on each side.
inline constexpr double kApartLimit = 2.3;
/// If a side has one or two repeats, only a ratio above 1 + this, or below its inverse, counts.
inline constexpr double kFewRepeatsLimit = 0.10;
inline constexpr std::size_t kLeastRepeats = 3;

/// The interval is Student's, with degrees of freedom by Welch and Satterthwaite (Satterthwaite,
/// Biometrics 1946). A limit of 2.3 is right if the spread is well known. If the repeats vary more
/// than the sessions, three repeats do not determine it well, and 2.3 alone would call equal sides
/// different in 6 of 100 cases. So a difference must also lie outside the interval.
Verdict judgeApart(std::span<const double> a, std::span<const double> b,
                   const SessionSpread& spread = {});

/// The same figures, without a verdict (too few) if every repeat of a side was disturbed.
Verdict onlyDisturbed(Verdict byRates, bool a, bool b);

/// The same figures without a verdict; `differs` lists what was not alike ("data: ...").
Verdict notAlike(Verdict byRates, std::vector<std::string> differs);

/// The ratio of the shown rateA and rateB (core/metrics/metric_text.h), so that it agrees with the
/// figures next to it; `ratio` if the rates are not known.
std::optional<double> shownRatioOf(const Verdict& verdict);

/// The verdict without a full stop: "B is 4.8 % faster than A (95 % interval 3.9 to 5.7 %;
/// p = 0.002; 5 blocks); a difference of 1.6 % or more could be detected".
std::string describe(const Verdict& verdict, std::string_view a = "A", std::string_view b = "B");

}  // namespace millrace
