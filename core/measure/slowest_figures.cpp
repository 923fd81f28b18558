// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/slowest_figures.h"

#include <algorithm>

namespace millrace {

namespace {

/// Adds what is known of the same sample. Of two nodes, the one with more time in all stays: its
/// time is then known only of the cases in which it took the longest.
void addSame(SlowestSample& sum, const SlowestSample& more) {
  const auto before = static_cast<double>(sum.times);
  const auto added = static_cast<double>(more.times);
  sum.meanMs = (before * sum.meanMs + added * more.meanMs) / (before + added);
  double inNode = before * sum.nodeMs;
  const double inOther = added * more.nodeMs;
  if (sum.node == more.node) {
    inNode += inOther;
  } else if (inOther > inNode) {
    sum.node = more.node;
    sum.route = more.route;
    inNode = inOther;
  }
  sum.nodeMs = inNode / (before + added);
  sum.times += more.times;
}

void addSample(std::vector<SlowestSample>& samples, const SlowestSample& sample) {
  const auto same = std::ranges::find(samples, sample.sample, &SlowestSample::sample);
  if (same == samples.end())
    samples.push_back(sample);
  else
    addSame(*same, sample);
}

void keepSlowest(std::vector<SlowestSample>& samples) {
  std::ranges::stable_sort(samples, std::ranges::greater(), &SlowestSample::meanMs);
  if (samples.size() > SlowestFigures::kKept) samples.resize(SlowestFigures::kKept);
}

}  // namespace

std::optional<double> SlowestFigures::share() const {
  if (timedSeconds <= 0) return std::nullopt;
  double ms = 0;
  for (const SlowestSample& sample : samples)
    ms += sample.meanMs * static_cast<double>(sample.times);
  return ms * 1e-3 / timedSeconds;
}

double SlowestFigures::meanMs() const {
  return timed > 0 ? timedSeconds * 1e3 / static_cast<double>(timed) : 0;
}

void SlowestFigures::add(const SlowestFigures& other) {
  timed += other.timed;
  timedSeconds += other.timedSeconds;
  for (const SlowestSample& sample : other.samples) addSample(samples, sample);
  keepSlowest(samples);
}

SlowestFigures slowestFigures(const Plan& plan, const SlowestSamples::List& list) {
  SlowestFigures figures;
  figures.timed = list.timed;
  figures.timedSeconds = static_cast<double>(list.timedNs) * 1e-9;
  for (const TimedSample& timed : list.samples)
    addSample(figures.samples,
              {plan.pipeline.source->name(timed.index), 1, static_cast<double>(timed.ns) * 1e-6,
               timed.bytes, plan.node(timed.node).id, static_cast<double>(timed.nodeNs) * 1e-6,
               std::string(timed.route)});
  keepSlowest(figures.samples);
  return figures;
}

}  // namespace millrace
