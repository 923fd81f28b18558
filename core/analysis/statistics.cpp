// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/check.h"

namespace millrace {

namespace {

namespace policies = boost::math::policies;
/// Plain doubles, which are faster than long doubles and exact enough, and no exceptions.
using Plain = policies::policy<
    policies::promote_double<false>, policies::domain_error<policies::ignore_error>,
    policies::pole_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>>;
using StudentsT = boost::math::students_t_distribution<double, Plain>;
using NoncentralT = boost::math::non_central_t_distribution<double, Plain>;
using Normal = boost::math::normal_distribution<double, Plain>;

/// The probability that |T| > |t|.
double studentTails(double t, int degrees) {
  MILLRACE_CHECK(degrees >= 1, "Student's t needs at least one degree of freedom");
  return 2 * cdf(StudentsT(degrees), -std::abs(t));
}

}  // namespace

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> standardDeviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double centre = *mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> geometricMean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double logarithms = 0;
  for (const double value : values) {
    if (!(value > 0)) return std::nullopt;
    logarithms += std::log(value);
  }
  return std::exp(logarithms / static_cast<double>(values.size()));
}

std::optional<double> percentile(std::span<const double> values, double share) {
  MILLRACE_CHECK(share >= 0 && share <= 1, "a percentile's share lies between 0 and 1");
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  const double position = static_cast<double>(sorted.size() - 1) * share;
  const auto below = static_cast<std::size_t>(position);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double low = *middle;
  if (middle + 1 == sorted.end()) return low;
  const double high = *std::min_element(middle + 1, sorted.end());
  return low + (high - low) * (position - static_cast<double>(below));
}

std::optional<double> median(std::span<const double> values) { return percentile(values, 0.5); }

std::optional<Interval> meanInterval95(std::span<const double> repeats) {
  if (repeats.size() < 3) return std::nullopt;
  const double count = static_cast<double>(repeats.size());
  const double t = studentCentralQuantile(0.95, static_cast<int>(repeats.size()) - 1);
  const double half = t * *standardDeviation(repeats) / std::sqrt(count);
  const double centre = *mean(repeats);
  return Interval{centre - half, centre + half};
}

std::optional<Interval> geometricInterval95(std::span<const double> repeats) {
  std::vector<double> logarithms;
  for (const double repeat : repeats) {
    if (!(repeat > 0)) return std::nullopt;
    logarithms.push_back(std::log(repeat));
  }
  const std::optional<Interval> interval = meanInterval95(logarithms);
  if (!interval) return std::nullopt;
  return Interval{std::exp(interval->low), std::exp(interval->high)};
}

double studentCentralQuantile(double probability, int degrees) {
  MILLRACE_CHECK(probability >= 0 && probability < 1, "a quantile needs a probability in [0, 1)");
  MILLRACE_CHECK(degrees >= 1, "Student's t needs at least one degree of freedom");
  return quantile(complement(StudentsT(degrees), (1 - probability) / 2));
}

std::optional<MeanTest> testMean(std::span<const double> differences) {
  if (differences.size() < 2) return std::nullopt;
  MeanTest test;
  test.mean = *mean(differences);
  test.standardError =
      *standardDeviation(differences) / std::sqrt(static_cast<double>(differences.size()));
  test.degrees = static_cast<int>(differences.size()) - 1;
  if (test.standardError > 0)
    test.p = studentTails(test.mean / test.standardError, test.degrees);
  else
    test.p = test.mean == 0 ? 1 : 0;
  const double half = studentCentralQuantile(0.95, test.degrees) * test.standardError;
  test.interval95 = {test.mean - half, test.mean + half};
  return test;
}

double testPower(double shift, double critical, int degrees) {
  MILLRACE_CHECK(degrees >= 1, "a t test needs at least one degree of freedom");
  const NoncentralT distribution(degrees, shift);
  const double above = cdf(complement(distribution, critical));
  // The other tail is less than the normal distribution's below -shift.
  constexpr double kNothingBelow = 9;
  return shift > kNothingBelow ? above : above + cdf(distribution, -critical);
}

namespace {

/// Where the search for a detectable shift begins: T is nearly normal around shift * E, with the
/// chi distribution's mean E of the estimated deviation over the true one (Johnson and Welch,
/// "Applications of the non-central t-distribution", Biometrika 1940).
double likelyShift(double critical, int degrees, double power) {
  const double half = degrees / 2.0;
  const double centre = 1 / (std::sqrt(half) * boost::math::tgamma_delta_ratio(half, 0.5, Plain()));
  const double spread = std::sqrt(1 + critical * critical * (1 - centre * centre));
  constexpr double kLeast = 0.01;
  return std::max(kLeast, critical * centre + quantile(Normal(), power) * spread);
}

}  // namespace

double detectableShift(double critical, int degrees, double power) {
  MILLRACE_CHECK(power > 0 && power < 1, "power must be between 0 and 1");
  const auto missing = [&](double shift) { return testPower(shift, critical, degrees) - power; };
  if (missing(0) >= 0) return 0;
  const auto close = [](double low, double high) { return high - low <= 1e-8 * high; };
  std::uintmax_t steps = 100;
  const double begin = likelyShift(critical, degrees, power);
  return boost::math::tools::bracket_and_solve_root(missing, begin, 1.1, true, close, steps,
                                                    Plain())
      .second;
}

}  // namespace millrace
