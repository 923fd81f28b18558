// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/shuffle_quality.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>

namespace millrace {

namespace {

constexpr std::size_t kParts = 10;
/// Below this share of a full shuffle's entropy.
constexpr double kPoor = 0.9;
constexpr double kChanceDeviations = 3;
/// More than for other figures: that a few samples of a rare class meet in a batch is not so rare.
constexpr double kPoorDeviations = 4;
/// Small sets are shuffled several times, for a reference that chance hardly changes.
constexpr std::size_t kShuffledSamples = 200'000;
constexpr std::size_t kMostShuffles = 200;

using Numbers = std::span<const std::uint32_t>;

double meanDistance(Numbers places) {
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    sum += std::abs(static_cast<double>(places[i]) - static_cast<double>(i));
  return sum / static_cast<double>(places.size()) / static_cast<double>(places.size());
}

double meanRun(Numbers numbers) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < numbers.size(); ++i) runs += numbers[i] != numbers[i - 1] ? 1U : 0U;
  return static_cast<double>(numbers.size()) / static_cast<double>(runs);
}

/// The entropy of each batch in turn.
class BatchEntropies {
 public:
  BatchEntropies(Numbers classes, std::size_t batch) : m_classes(classes), m_batch(batch) {
    m_counts.resize(std::size_t{1} + *std::ranges::max_element(classes));
  }
  std::size_t batches() const { return (m_classes.size() + m_batch - 1) / m_batch; }
  /// In bits: log2(m) minus the mean of log2 of how often each of its m samples' classes occurs.
  double of(std::size_t batch) {
    const Numbers rows =
        m_classes.subspan(batch * m_batch, std::min(m_batch, m_classes.size() - batch * m_batch));
    for (const std::uint32_t row : rows) ++m_counts[row];
    double sum = 0;
    for (const std::uint32_t row : rows) sum += std::log2(static_cast<double>(m_counts[row]));
    for (const std::uint32_t row : rows) m_counts[row] = 0;
    const auto count = static_cast<double>(rows.size());
    return std::max(0.0, std::log2(count) - sum / count);  // One class: rounding leaves -0.00.
  }
  double mean() {
    double sum = 0;
    for (std::size_t b = 0; b < batches(); ++b) sum += of(b);
    return sum / static_cast<double>(batches());
  }
  std::vector<double> along() {
    const std::size_t parts = std::min(kParts, batches());
    std::vector<double> sums(parts);
    std::vector<std::size_t> counts(parts);
    for (std::size_t b = 0; b < batches(); ++b) {
      const std::size_t part = b * parts / batches();
      sums[part] += of(b);
      ++counts[part];
    }
    for (std::size_t part = 0; part < parts; ++part)
      sums[part] /= static_cast<double>(counts[part]);
    return sums;
  }

 private:
  Numbers m_classes;
  std::size_t m_batch;
  std::vector<std::size_t> m_counts;
};

/// The figure of `numbers` next to those of full shuffles of them. Fisher-Yates in Durstenfeld's
/// version (CACM 7, 1964, algorithm 235).
template <class Figure>
ShuffleFigure againstFullShuffle(Numbers numbers, Figure figure) {
  std::vector<std::uint32_t> shuffled(numbers.begin(), numbers.end());
  std::mt19937_64 random(0);
  const std::size_t shuffles =
      std::clamp<std::size_t>(kShuffledSamples / numbers.size(), 1, kMostShuffles);
  std::vector<double> figures;
  for (std::size_t i = 0; i < shuffles; ++i) {
    for (std::size_t left = shuffled.size(); left > 1; --left)
      std::swap(shuffled[left - 1], shuffled[random() % left]);
    figures.push_back(figure(shuffled));
  }
  const double mean =
      std::accumulate(figures.begin(), figures.end(), 0.0) / static_cast<double>(shuffles);
  double squares = 0;
  for (const double each : figures) squares += (each - mean) * (each - mean);
  return {figure(numbers), mean, std::sqrt(squares / static_cast<double>(shuffles))};
}

ShuffleFigure distanceOf(Numbers places) {
  const auto n = static_cast<double>(places.size());
  return {meanDistance(places), (n * n - 1) / (3 * n * n),
          std::sqrt((n + 1) * (2 * n * n + 7) / 45) / (n * n)};
}

}  // namespace

std::optional<double> ShuffleFigure::ofFull() const {
  if (full <= 0) return std::nullopt;
  return value / full;
}

bool ShuffleFigure::isChance() const {
  return std::abs(value - full) <= kChanceDeviations * deviation;
}

bool isPoorlyMixed(const ShuffleQuality& quality) {
  const std::optional<ShuffleFigure>& entropy = quality.batchEntropy;
  return entropy && entropy->value < kPoor * entropy->full &&
         entropy->value < entropy->full - kPoorDeviations * entropy->deviation;
}

ShuffleQuality shuffleQuality(const EpochOrder& order) {
  ShuffleQuality quality;
  quality.samples = order.places.size();
  if (order.places.empty()) return quality;
  quality.distance = distanceOf(order.places);
  if (!order.files.empty()) quality.fileRun = againstFullShuffle(order.files, meanRun);
  if (order.classes.empty()) return quality;
  quality.classRun = againstFullShuffle(order.classes, meanRun);
  BatchEntropies entropies(order.classes, order.batch);
  quality.batchEntropy = againstFullShuffle(
      order.classes, [&](Numbers numbers) { return BatchEntropies(numbers, order.batch).mean(); });
  quality.entropyAlong = entropies.along();
  return quality;
}

}  // namespace millrace
