// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace millrace {

// Pure functions over a handful of figures; safe on any thread. Values must be finite. Where there
// are too few values for the figure to mean anything the answer is absent, never 0.

/// Arithmetic mean; absent for no values.
std::optional<double> mean(std::span<const double> values);

/// Standard deviation of a sample, with n - 1 below the line; absent under 2 values.
std::optional<double> standardDeviation(std::span<const double> values);

/// exp(mean(log x)): the mean of rates and ratios, which are multiplied and not added. Absent for
/// no values and when one is not above 0.
std::optional<double> geometricMean(std::span<const double> values);

/// The value below which `share` (0 to 1) of the values lie, by linear interpolation between the
/// order statistics at position (n - 1) * share: definition 7 of Hyndman and Fan, "Sample quantiles
/// in statistical packages", 1996; what NumPy and R do by default. Absent for no values.
std::optional<double> percentile(std::span<const double> values, double share);

/// percentile(values, 0.5).
std::optional<double> median(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Student's 95 % interval of the mean of independent repeats:
/// mean ± t(0.975, n - 1) * standardDeviation / sqrt(n). Absent under 3 values (CONTRACT §7).
/// Not for windows of one run: they are correlated, and the interval would be too narrow.
std::optional<Interval> meanInterval95(std::span<const double> repeats);

/// Student's t distribution: the probability that |T| <= `t` with `degrees` >= 1 degrees of
/// freedom. Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
double studentCentralProbability(double t, int degrees);

/// The t >= 0 with studentCentralProbability(t, degrees) == `probability`, which is in [0, 1);
/// by bisection to the last bits of a double.
double studentCentralQuantile(double probability, int degrees);

/// Student's t test of independent differences against 0, as for pairs measured one beside the
/// other (Student, "The probable error of a mean", Biometrika 1908).
struct MeanTest {
  double mean = 0;
  double standardError = 0;
  int degrees = 1;      ///< of freedom: one less than differences
  double p = 1;         ///< two-sided
  Interval interval95;  ///< of the mean
};

/// Absent under 2 differences. Differences without any spread: p is 0, or 1 when they are all 0.
std::optional<MeanTest> testMean(std::span<const double> differences);

/// The probability that a t test finds a true shift of `shift` standard errors when it calls
/// |T| > `critical` a difference: two tails of the noncentral t distribution (Johnson, Kotz and
/// Balakrishnan, Continuous Univariate Distributions 2, 1995, chapter 31), by Simpson's rule over
/// the deviation's chi distribution; good to 1e-8.
double testPower(double shift, double critical, int degrees);

/// The shift, in standard errors, that such a test finds with probability `power` in (0, 1); 0
/// where chance alone is enough.
double detectableShift(double critical, int degrees, double power);

}  // namespace millrace
