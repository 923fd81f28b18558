// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/loader_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "core/base/random.h"
#include "core/spec/reorder_slots.h"

namespace millrace {

namespace {

using Work = LoaderModel::Work;

/// Draws times from a histogram, scaled so that their mean is exact.
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

/// One run of a model: tickets in order, each to the worker that is free first.
class Simulation {
 public:
  Simulation(const LoaderModel& model, std::uint64_t seed) : m_model(model) {
    for (const Work& work : model.work) m_times.emplace_back(work);
    m_key.seed = seed;
    m_key.node = static_cast<std::uint32_t>(fnv1a("what if"));
    m_scale = seriesScale();
    for (std::size_t w = 0; w < std::max<std::size_t>(1, model.workers); ++w) m_free.push(0);
    m_allSlots = model.slotCount;
    if (model.sharedBatches)
      m_allSlots += reorderSlots(model.workers, model.batchSize, model.slotCount);
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
  /// The time at which the consumer finishes batch `b`. Batches are made in order.
  double consume(std::size_t b) {
    const double slot = slotTime(b);
    double whole = 0;
    for (std::size_t row = 0; row < m_model.batchSize; ++row) {
      const double begun = std::max(m_free.top(), slot);
      m_free.pop();
      const double finished = begun + sampleSeconds();
      m_free.push(finished);
      whole = std::max(whole, finished);
    }
    m_ready.push_back(b > 0 ? std::max(m_ready.back(), whole) : whole);
    m_taken.push_back(b > 0 ? std::max(m_ready.back(), m_done.back()) : m_ready.back());
    m_done.push_back(m_taken.back() + m_model.stepSeconds);
    return m_done.back();
  }

  /// When batch `b` has a slot: when the consumer has finished the batch `slotCount` before it, or
  /// earlier in a reorder slot (BatchRing).
  double slotTime(std::size_t b) const {
    if (b < m_model.slotCount) return 0;
    const double usual = m_done[b - m_model.slotCount];
    double at = std::max(m_free.top(), b < m_allSlots ? 0 : m_done[b - m_allSlots]);
    while (at < usual && !heldUp(at)) {
      const auto taken = std::ranges::upper_bound(m_taken, at);
      at = taken == m_taken.end() ? usual : *taken;
    }
    return std::min(at, usual);
  }

  /// Whether the consumer can take fewer batches than the queue is for.
  bool heldUp(double at) const {
    const auto next =
        static_cast<std::size_t>(std::ranges::upper_bound(m_taken, at) - m_taken.begin());
    const std::size_t last = next + std::max<std::size_t>(1, m_model.capacity) - 1;
    return last >= m_ready.size() || m_ready[last] > at;
  }

  /// Factor that brings the series to the mean of the work; 0 if there is no series.
  double seriesScale() const {
    double sum = 0;
    for (const double seconds : m_model.sampleSeconds) sum += seconds;
    if (sum <= 0) return 0;
    double mean = m_model.betweenSeconds;
    for (const Work& work : m_model.work) mean += work.meanSeconds;
    return mean * static_cast<double>(m_model.sampleSeconds.size()) / sum;
  }

  double sampleSeconds() {
    const std::uint32_t ticket = m_key.index++;
    if (m_scale > 0)
      return m_model.slowdown * m_scale *
             m_model.sampleSeconds[ticket % m_model.sampleSeconds.size()];
    Draw random(m_key);
    double seconds = m_model.betweenSeconds;
    for (const Times& times : m_times) seconds += times.draw(random);
    return m_model.slowdown * seconds;
  }

  using Earliest = std::priority_queue<double, std::vector<double>, std::greater<>>;
  const LoaderModel& m_model;
  std::vector<Times> m_times;
  DrawKey m_key;
  double m_scale = 0;  ///< factor for the series; 0: times are drawn
  Earliest m_free;     ///< when each worker is free
  std::size_t m_allSlots = 0;
  std::vector<double> m_ready;  ///< by batch: it and all before it are finished
  std::vector<double> m_taken;  ///< by the consumer
  std::vector<double> m_done;
};

}  // namespace

double simulatedRate(const LoaderModel& model, std::uint64_t seed, std::size_t batches) {
  constexpr std::size_t kSamples = 8000;
  // A series needs no draws, so more batches are cheap.
  const std::size_t most = model.sampleSeconds.empty() ? 300 : 1000;
  if (batches == 0)
    batches =
        std::clamp<std::size_t>(kSamples / std::max<std::size_t>(1, model.batchSize), 60, most);
  return Simulation(model, seed).rate(batches);
}

}  // namespace millrace
