// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace millrace {

// Pure functions of a few values; any thread. Values must be finite. The result is absent, never 0,
// if there are too few values for the figure to mean anything.

/// Arithmetic mean; absent for no values.
std::optional<double> mean(std::span<const double> values);

/// Standard deviation of a sample, with divisor n - 1; absent for fewer than 2 values.
std::optional<double> standardDeviation(std::span<const double> values);

/// exp(mean(log x)): the right mean for rates and ratios, which combine by multiplication. Absent
/// for no values, or if a value is not above 0.
std::optional<double> geometricMean(std::span<const double> values);

/// The value below which `share` (0 to 1) of the values lie. Linear interpolation between the order
/// statistics at position (n - 1) * share: definition 7 of Hyndman and Fan, "Sample quantiles in
/// statistical packages", 1996, the default of NumPy and R. Absent for no values.
std::optional<double> percentile(std::span<const double> values, double share);

/// percentile(values, 0.5).
std::optional<double> median(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Student's 95 % interval of the mean of independent repeats: mean ± t(0.975, n - 1) *
/// standardDeviation / sqrt(n). Absent for fewer than 3 values (docs/reference/figures.md). Not for
/// the windows of one run: they are correlated, and the interval would be too narrow.
std::optional<Interval> meanInterval95(std::span<const double> repeats);

/// The same for geometricMean: meanInterval95 of the logarithms, turned back. Also absent if a
/// value is not above 0.
std::optional<Interval> geometricInterval95(std::span<const double> repeats);

/// Student's t distribution with `degrees` >= 1 degrees of freedom: the t >= 0 for which the
/// probability that |T| <= t is `probability`, which must be in [0, 1). The distributions are those
/// of Boost.Math.
double studentCentralQuantile(double probability, int degrees);

/// Student's t test of independent differences against 0, for paired measurements (Student, "The
/// probable error of a mean", Biometrika 1908).
struct MeanTest {
  double mean = 0;
  double standardError = 0;
  int degrees = 1;      ///< degrees of freedom: number of differences - 1
  double p = 1;         ///< two-sided
  Interval interval95;  ///< 95 % interval of the mean
};

/// Absent for fewer than 2 differences. If the differences do not vary at all, p is 0, or 1 if all
/// are 0.
std::optional<MeanTest> testMean(std::span<const double> differences);

/// Power of a t test: the probability that it reports a difference (|T| > `critical`) when the true
/// shift is `shift` >= 0 standard errors. Two tails of the noncentral t distribution (Johnson, Kotz
/// and Balakrishnan, Continuous Univariate Distributions 2, 1995, chapter 31); accurate to 1e-12.
double testPower(double shift, double critical, int degrees);

/// The shift, in standard errors, that such a test finds with probability `power` in (0, 1); 0 if
/// chance alone reaches that probability. Accurate to 1e-8 of it.
double detectableShift(double critical, int degrees, double power);

}  // namespace millrace
