// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analyse/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <queue>

#include "core/base/random.h"

namespace millrace {

namespace {

using Work = LoaderModel::Work;

/// Draws from a histogram, scaled to its exact mean.
class Times {
 public:
  explicit Times(const Work& work) {
    double sum = 0;
    for (std::size_t b = 0; b < Histogram::kBuckets; ++b) {
      if (work.times.counts[b] == 0) continue;
      m_total += work.times.counts[b];
      m_until.push_back(m_total);
      m_low.push_back(static_cast<double>(Histogram::lowerEdge(b)));
      m_width.push_back(static_cast<double>(Histogram::lowerEdge(b + 1)) - m_low.back());
      sum += static_cast<double>(work.times.counts[b]) * (m_low.back() + m_width.back() / 2);
    }
    m_fixed = work.meanSeconds;
    if (sum > 0) m_scale = work.meanSeconds * static_cast<double>(m_total) / sum;
  }

  double draw(Draw& random) const {
    if (m_total == 0) return m_fixed;
    const auto at =
        static_cast<std::uint64_t>(random.integer(0, static_cast<std::int64_t>(m_total) - 1));
    const auto bucket =
        static_cast<std::size_t>(std::ranges::upper_bound(m_until, at) - m_until.begin());
    return m_scale * (m_low[bucket] + m_width[bucket] * random.unit());
  }

 private:
  std::vector<std::uint64_t> m_until;
  std::vector<double> m_low;
  std::vector<double> m_width;
  std::uint64_t m_total = 0;
  double m_scale = 0;
  double m_fixed = 0;
};

/// One run of a model: tickets in order, workers by when they are free.
class Simulation {
 public:
  Simulation(const LoaderModel& model, std::uint64_t seed) : m_model(model) {
    for (const Work& work : model.work) m_times.emplace_back(work);
    m_key.seed = seed;
    m_key.node = static_cast<std::uint32_t>(fnv1a("what if"));
    for (std::size_t w = 0; w < std::max<std::size_t>(1, model.workers); ++w) m_free.push(0);
  }

  double rate(std::size_t batches) {
    const std::size_t skipped = batches / 10;
    double begin = 0;
    double end = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      end = consume(b);
      if (b + 1 == skipped) begin = end;
    }
    const auto samples = static_cast<double>((batches - skipped) * m_model.batchSize);
    return end > begin ? samples / (end - begin) : 0;
  }

 private:
  /// When the consumer is done with batch `b`.
  double consume(std::size_t b) {
    // Batches are made in order; one begins when the consumer is done with that
    // `slots` before it.
    const double slot = b >= m_model.slotCount ? m_done[b - m_model.slotCount] : 0;
    double whole = 0;
    for (std::size_t row = 0; row < m_model.batchSize; ++row) {
      const double begun = std::max(m_free.top(), slot);
      m_free.pop();
      const double finished = begun + sampleSeconds();
      m_free.push(finished);
      whole = std::max(whole, finished);
    }
    const double before = b > 0 ? m_done[b - 1] : 0;
    m_done.push_back(std::max(before, whole) + m_model.stepSeconds);
    return m_done.back();
  }

  double sampleSeconds() {
    ++m_key.index;
    Draw random(m_key);
    double seconds = m_model.betweenSeconds;
    for (const Times& times : m_times) seconds += times.draw(random);
    return seconds * m_model.slowdown;
  }

  using Earliest = std::priority_queue<double, std::vector<double>, std::greater<>>;
  const LoaderModel& m_model;
  std::vector<Times> m_times;
  DrawKey m_key;
  Earliest m_free;  ///< when each worker is
  std::vector<double> m_done;
};

}  // namespace

double simulatedRate(const LoaderModel& model, std::uint64_t seed, std::size_t batches) {
  return Simulation(model, seed).rate(batches);
}

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLeastError = 0.05;

/// How much longer work takes with so many threads on the cores that others
/// leave.
double slowdownOf(const RunCounters& counters, std::size_t threads) {
  const double taken = counters.otherBusyShare.value_or(0) + counters.stealShare.value_or(0);
  const double cores = std::max(1.0, *counters.cores * (1 - taken));
  return std::max(1.0, static_cast<double>(threads) / cores);
}

/// The region in front of the consumer's only queue.
std::optional<LoaderModel> modelOf(const RunCounters& counters) {
  if (counters.stages.size() != 2 || counters.queues.size() != 1 || counters.samples == 0 ||
      counters.batches == 0 || !counters.cores || !counters.stages.front().strict)
    return std::nullopt;
  const RunCounters::Stage& region = counters.stages.front();
  const auto samples = static_cast<double>(counters.samples);
  LoaderModel model;
  for (const RunCounters::Node& node : region.nodes)
    if (node.busySeconds) model.work.push_back({node.service, *node.busySeconds / samples});
  if (model.work.empty()) return std::nullopt;
  model.betweenSeconds = region.betweenSeconds.value_or(0) / samples;
  model.workers = region.threads;
  model.batchSize = std::max<std::size_t>(1, counters.batchSize);
  model.slotCount =
      counters.queues.front().capacity + 1 + (region.wholeBatches ? region.threads : 1);
  if (counters.stepShare)
    model.stepSeconds =
        *counters.stepShare * counters.seconds / static_cast<double>(counters.batches);
  return model;
}

std::optional<std::size_t> countIn(const std::string& text) {
  std::size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || rest != end) return std::nullopt;
  return count;
}

/// A cache behind `node`: what lies in front of it takes no time from the
/// second epoch on.
void cacheBehind(LoaderModel& model, const RunCounters& counters, const std::string& node) {
  std::size_t work = 0;
  for (const RunCounters::Node& each : counters.stages.front().nodes) {
    if (each.busySeconds) model.work[work++] = {};
    if (each.id == node) return;
  }
}

/// False where the simulation knows nothing of the change.
bool change(LoaderModel& model, const RunCounters& counters, const Advice& advice) {
  if (advice.edit == Advice::Edit::AddCache) {
    cacheBehind(model, counters, advice.node);
    return true;
  }
  if (advice.edit != Advice::Edit::Parameter) return false;
  const bool ofRegion = advice.node == counters.stages.front().workers;
  const std::optional<std::size_t> count = countIn(advice.to);
  if (!count || *count == 0) return false;
  if (ofRegion && advice.param == "count") {
    model.slowdown = slowdownOf(counters, *count) / slowdownOf(counters, model.workers);
    model.workers = *count;
    return true;
  }
  if (advice.node != counters.queues.front().prefetch) return false;
  model.slotCount += *count - counters.queues.front().capacity;
  return true;
}

}  // namespace

std::optional<RatePrediction> predictedRate(const RunCounters& counters, const Advice& advice) {
  const std::optional<LoaderModel> now = modelOf(counters);
  if (!now) return std::nullopt;
  LoaderModel then = *now;
  if (!change(then, counters, advice)) return std::nullopt;
  const double measured = counters.samplesPerSecond();
  const double simulated = simulatedRate(*now, kSeed);
  const double changed = simulatedRate(then, kSeed);
  if (measured <= 0 || simulated <= 0 || changed <= 0) return std::nullopt;
  const double error = std::max(kLeastError, std::abs(simulated / measured - 1));
  const double middle = measured * changed / simulated;
  return RatePrediction{middle * std::max(0.0, 1 - error), middle, middle * (1 + error)};
}

}  // namespace millrace
