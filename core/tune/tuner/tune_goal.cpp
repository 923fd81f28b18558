// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_goal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace millrace {

namespace {

constexpr std::array<std::string_view, 4> kGoals = {"throughput", "cost", "latency", "epoch-time"};
constexpr double kLeastWaitMs = 0.01;
constexpr double kAlike = 1.02;

/// Whether `one`, which is at least as fast, makes `own` pointless.
bool beats(const TuneBalance& one, const TuneBalance& own) {
  const bool fewCores = one.cores <= own.cores * kAlike;
  const bool cheapSamples = one.cores / one.rate <= own.cores / own.rate * kAlike;
  const bool isLarger = own.bytes > one.bytes * kAlike;
  return (one.bytes <= own.bytes * kAlike && fewCores) || (isLarger && cheapSamples);
}

std::optional<double> logOf(const std::optional<double>& value, double sign) {
  if (!value || !(*value > 0) || !std::isfinite(*value)) return std::nullopt;
  return sign * std::log(*value);
}

}  // namespace

std::string_view nameOf(TuneGoal goal) { return kGoals[static_cast<std::size_t>(goal)]; }

Result<TuneGoal> parseGoal(std::string_view text) {
  const auto goal = std::ranges::find(kGoals, text);
  if (goal == kGoals.end())
    return Error{fmt::format("choose throughput, cost, latency or epoch-time, not `{}`", text)};
  return static_cast<TuneGoal>(goal - kGoals.begin());
}

std::optional<double> scoreOf(TuneGoal goal, const SpanFigures& figures, double seconds) {
  switch (goal) {
    case TuneGoal::Throughput: return logOf(figures.samplesPerSecond.mean, 1);
    case TuneGoal::Cost: return logOf(figures.cpuSecondsPer1000Samples, -1);
    case TuneGoal::Latency:
      if (!figures.waitP95Ms) return std::nullopt;
      return -std::log(std::max(kLeastWaitMs, *figures.waitP95Ms));
    case TuneGoal::EpochTime: return logOf(seconds, -1);
  }
  return std::nullopt;
}

std::optional<double> coresOf(const SpanFigures& figures) {
  if (!figures.cpuSecondsPer1000Samples || !figures.samplesPerSecond.mean) return std::nullopt;
  return *figures.cpuSecondsPer1000Samples * *figures.samplesPerSecond.mean / 1000;
}

std::optional<std::size_t> beaterOf(const std::vector<TuneBalance>& settings, std::size_t best) {
  const std::vector<std::size_t> front = paretoFront(settings, best);
  if (!(settings[best].rate > 0) || std::ranges::find(front, best) != front.end())
    return std::nullopt;
  const auto found = std::ranges::find_if(front, [&](std::size_t f) {
    TuneBalance one = settings[f];
    const bool isAsFast = one.rate >= settings[best].rate;
    one.rate = std::min(one.rate, settings[best].rate);
    return isAsFast && beats(one, settings[best]);
  });
  return found == front.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::size_t> paretoFront(std::vector<TuneBalance> settings,
                                     std::optional<std::size_t> best) {
  std::vector<std::size_t> order(settings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (best && settings[*best].rate > 0) {
    const double most = settings[*best].rate;
    for (TuneBalance& each : settings) each.rate = std::min(each.rate, most);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t i) {
      const TuneBalance& own = settings[i];
      return std::tuple(-own.rate, own.bytes, own.cores, i);
    };
    return rank(a) < rank(b);
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const TuneBalance& own = settings[i];
    if (!(own.rate > 0)) continue;
    const bool beaten =
        std::ranges::any_of(front, [&](std::size_t f) { return beats(settings[f], own); });
    if (!beaten) front.push_back(i);
  }
  return front;
}

}  // namespace millrace
