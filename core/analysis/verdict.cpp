// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/verdict.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace millrace {

namespace {

/// Probability with which the smallest detectable difference is found.
constexpr double kPower = 0.9;

/// Difference of the sides, in standard deviations of a block's log ratio, that five blocks, and
/// five more if needed, find nine times in ten. From a million simulated comparisons; the test
/// repeats the simulation.
constexpr double kTwoLooksShift = 1.417;

bool measured(double rate) { return std::isfinite(rate) && rate > 0; }

std::vector<double> logarithms(std::span<const double> rates) {
  std::vector<double> logs;
  for (const double rate : rates)
    if (measured(rate)) logs.push_back(std::log(rate));
  return logs;
}

void addRates(Verdict& verdict, double logA, double logB) {
  verdict.rateA = std::exp(logA);
  verdict.rateB = std::exp(logB);
  verdict.ratio = std::exp(logB - logA);
}

VerdictKind directionOf(double logRatio) {
  return logRatio > 0 ? VerdictKind::Faster : VerdictKind::Slower;
}

Interval exponentials(const Interval& logs) { return {std::exp(logs.low), std::exp(logs.high)}; }

/// The difference that a test with this limit, in standard errors, finds in nine of ten cases.
double smallestSeen(double critical, int degrees, double standardError) {
  return std::expm1(detectableShift(critical, degrees, kPower) * standardError);
}

double smallestSeen(const BlockRule& rule, const MeanTest& test) {
  const double deviation = test.standardError * std::sqrt(test.degrees + 1.0);
  const bool twoLooks = rule.blocks == BlockRule().blocks && rule.more == BlockRule().more;
  if (twoLooks && test.degrees + 1.0 >= static_cast<double>(rule.blocks))
    return std::expm1(kTwoLooksShift * deviation);
  return smallestSeen(studentCentralQuantile(1 - kBlockLevel, test.degrees), test.degrees,
                      test.standardError);
}

/// Variance of a mean and the degrees of freedom of its estimate; 0 degrees: known exactly.
struct Variance {
  double value = 0;
  double degrees = 0;
};

Variance varianceOfMean(std::span<const double> logs) {
  const double deviation = *standardDeviation(logs);
  const auto count = static_cast<double>(logs.size());
  return {deviation * deviation / count, count - 1};
}

/// By Welch and Satterthwaite, rounded down. Beyond a thousand the number makes no difference.
int degreesOfSum(std::span<const Variance> parts) {
  constexpr double kMany = 1000;
  double sum = 0;
  double below = 0;
  for (const Variance& part : parts) {
    sum += part.value;
    if (part.degrees > 0) below += part.value * part.value / part.degrees;
  }
  const double degrees = below > 0 ? sum * sum / below : kMany;
  return static_cast<int>(std::clamp(degrees, 1.0, kMany));
}

}  // namespace

Verdict judgeTogether(std::span<const double> a, std::span<const double> b, const BlockRule& rule) {
  MILLRACE_CHECK(a.size() == b.size(), "each block has a rate for each side");
  std::vector<double> differences;
  std::vector<double> logsA;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!measured(a[i]) || !measured(b[i])) continue;
    differences.push_back(std::log(b[i] / a[i]));
    logsA.push_back(std::log(a[i]));
  }
  const std::size_t blocks = differences.size();
  Verdict verdict;
  verdict.how = MeasuredHow::Together;
  verdict.repeatsA = verdict.repeatsB = blocks;
  const std::size_t first = std::max(rule.blocks, kLeastBlocks);
  const std::size_t all = first + rule.more;
  verdict.moreWanted = blocks < first ? first - blocks : 0;
  if (blocks > 0) addRates(verdict, *mean(logsA), *mean(logsA) + *mean(differences));
  const std::optional<MeanTest> test = testMean(differences);
  if (!test) return verdict;
  verdict.ratio95 = exponentials(test->interval95);
  verdict.p = test->p;
  verdict.smallestDifference = smallestSeen(rule, *test);
  if (blocks < first) return verdict;
  const bool atALook = blocks == first || blocks >= all;
  if (atALook && test->p < kBlockLevel) {
    verdict.kind = directionOf(test->mean);
  } else if (blocks < all && (!atALook || test->p < kMoreBlocksLevel)) {
    verdict.moreWanted = all - blocks;
  } else {
    verdict.kind = VerdictKind::Same;
  }
  return verdict;
}

SessionSpread spreadOfSessions(std::span<const double> sessionRates) {
  const std::vector<double> logs = logarithms(sessionRates);
  if (logs.size() < kLeastSessions) return {};
  return {*standardDeviation(logs), logs.size()};
}

Verdict judgeApart(std::span<const double> a, std::span<const double> b,
                   const SessionSpread& spread) {
  const std::vector<double> logsA = logarithms(a);
  const std::vector<double> logsB = logarithms(b);
  Verdict verdict;
  verdict.repeatsA = logsA.size();
  verdict.repeatsB = logsB.size();
  if (logsA.empty() || logsB.empty()) return verdict;
  const double difference = *mean(logsB) - *mean(logsA);
  addRates(verdict, *mean(logsA), *mean(logsB));
  if (std::min(logsA.size(), logsB.size()) < kLeastRepeats) {
    verdict.smallestDifference = kFewRepeatsLimit;
    if (std::abs(difference) > std::log1p(kFewRepeatsLimit)) verdict.kind = directionOf(difference);
    return verdict;
  }
  const double sessions = spread.sessions > 0 ? static_cast<double>(spread.sessions) - 1 : 0;
  const std::vector<Variance> parts = {
      varianceOfMean(logsA), varianceOfMean(logsB), {2 * spread.sigma * spread.sigma, sessions}};
  double variance = 0;
  for (const Variance& part : parts) variance += part.value;
  const double standardError = std::sqrt(variance);
  const int degrees = degreesOfSum(parts);
  const double t = studentCentralQuantile(0.95, degrees);
  const double limit = std::max(kApartLimit, t);
  verdict.ratio95 = exponentials({difference - t * standardError, difference + t * standardError});
  verdict.smallestDifference = smallestSeen(limit, degrees, standardError);
  const bool different = std::abs(difference) > limit * standardError;
  verdict.kind = different ? directionOf(difference) : VerdictKind::Same;
  return verdict;
}

Verdict onlyDisturbed(Verdict byRates, bool a, bool b) {
  byRates.onlyDisturbedA = a;
  byRates.onlyDisturbedB = b;
  if (a || b) byRates.kind = VerdictKind::TooFew;
  return byRates;
}

Verdict notAlike(Verdict byRates, std::vector<std::string> differs) {
  byRates.kind = VerdictKind::NotAlike;
  byRates.moreWanted = 0;
  byRates.differs = std::move(differs);
  return byRates;
}

}  // namespace millrace
