// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/statistics.h"

namespace millrace {

// Whether B is faster than A, by the rules of CONTRACT §8. Pure functions of rates (samples/s, one
// for each repeat) that the caller brings; no clock, no store; safe on any thread. Rates that are
// not above 0 and finite were not measured: they are left out, with their block.

enum class VerdictKind {
  Faster,
  Slower,
  Same,     ///< `~`: looked well enough, and saw no difference
  TooFew,   ///< repeats or blocks: nothing can be said yet
  NotAlike  ///< the two were not measured under the same conditions
};
/// "faster", "slower", "~", "too few", "not alike".
std::string_view nameOf(VerdictKind kind);

enum class MeasuredHow { Together, Apart };

struct Verdict {
  VerdictKind kind = VerdictKind::TooFew;
  MeasuredHow how = MeasuredHow::Apart;
  /// B's rate over A's, of geometric means. Absent without a rate on each side.
  std::optional<double> ratio;
  /// 95 % interval of the ratio. Absent where a side has one or two repeats.
  std::optional<Interval> ratio95;
  /// Of the paired t test; absent when measured apart.
  std::optional<double> p;
  /// The least difference that the rule finds in nine of ten such measurements, with the spread
  /// seen here: 0.016 is 1.6 %. Absent where nothing is known of the spread.
  std::optional<double> smallestDifference;
  std::size_t repeatsA = 0;
  std::size_t repeatsB = 0;  ///< together both are the number of blocks
  /// Apart: repeats that were measured and are not among those, because something disturbed them.
  /// Whoever brings the rates says so.
  std::size_t disturbedA = 0;
  std::size_t disturbedB = 0;
  std::size_t moreWanted = 0;        ///< together: so many more blocks, and the rule can decide
  std::vector<std::string> differs;  ///< of NotAlike: what does
};

// ---- Measured together: blocks of one repeat a side, in random order ----

/// How many blocks: `blocks` first, and `more` on top when these do not decide. A number of blocks
/// chosen beforehand is {n, 0}.
struct BlockRule {
  std::size_t blocks = 5;
  std::size_t more = 5;
};
inline constexpr std::size_t kLeastBlocks = 5;
/// A difference has p below this, over all blocks.
inline constexpr double kBlockLevel = 0.015;
/// After the first blocks, more of them are worth while below this.
inline constexpr double kMoreBlocksLevel = 0.3;

/// Block i has the rates a[i] and b[i]. Paired t test on logarithms: what slows a whole block
/// cancels. A group-sequential rule with two looks (Pocock, Biometrika 1977, for the idea): equal
/// sides are called different 2.7 times in 100 over both looks together. The interval is that of
/// one look, for all blocks there are. Under kLeastBlocks nothing is said, whatever the rule.
Verdict judgeTogether(std::span<const double> a, std::span<const double> b,
                      const BlockRule& rule = {});

// ---- Measured apart: each side in its own sitting ----

/// Standard deviation of the logarithms of a pipeline's rates from sitting to sitting.
struct SittingSpread {
  double sigma = 0.02;
  std::size_t sittings = 0;  ///< that it was estimated from; 0: the usual one
};
inline constexpr std::size_t kLeastSittings = 5;

/// From one mean rate a sitting, of the same pipeline, settings and machine; the usual spread while
/// there are under kLeastSittings. A sitting is a stretch of measuring without a long pause: runs
/// of the same minutes share it. What the repeats within a sitting scatter is not taken out: with
/// few sittings that difference of variances is often 0, and the rule would see ghosts.
SittingSpread spreadOfSittings(std::span<const double> sittingRates);

/// Times the standard error of log(B / A): sqrt(sa²/na + sb²/nb + 2 sigma²), from 3 repeats a side.
inline constexpr double kApartLimit = 2.3;
/// With one or two repeats on a side only a ratio above 1 + this, or below its inverse, counts.
inline constexpr double kFewRepeatsLimit = 0.10;
inline constexpr std::size_t kLeastRepeats = 3;

/// The interval is Student's with Welch's and Satterthwaite's degrees of freedom (Satterthwaite,
/// Biometrics 1946). 2.3 is right for a spread that is well known. Where the repeats scatter more
/// than the sittings do, three of them do not know it well, and 2.3 alone would call equal sides
/// different 6 times in 100: so a difference must leave the interval too.
Verdict judgeApart(std::span<const double> a, std::span<const double> b,
                   const SittingSpread& spread = {});

/// The same figures, but no claim: `differs` says what was not alike ("data: ...").
Verdict notAlike(Verdict byRates, std::vector<std::string> differs);

/// One sentence for a person, without a full stop: "B is 4.8 % faster than A [3.9, 5.7 %],
/// p = 0.002, 5 blocks; could have seen 1.6 %".
std::string describe(const Verdict& verdict, std::string_view a = "A", std::string_view b = "B");

}  // namespace millrace
