// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace {

/// A figure of an order, and the same figure after a full shuffle of the same samples.
struct ShuffleFigure {
  double value = 0;
  double full = 0;       ///< the mean over full shuffles
  double deviation = 0;  ///< the standard deviation of full shuffles from their mean
  /// The figure divided by that of a full shuffle; nullopt if that is 0.
  std::optional<double> ofFull() const;
  /// Whether a full shuffle may have this figure, too: it is at most three deviations from the
  /// mean.
  bool isChance() const;
};

/// How well the samples of an epoch are mixed.
struct ShuffleQuality {
  std::size_t samples = 0;
  /// Mean distance between a sample's place in the source and in the epoch, as a share of the
  /// epoch; about 1/3 after a full shuffle.
  ShuffleFigure distance;
  /// Mean number of samples in a row of one class, and from one file. Absent if the classes are not
  /// known without reading samples, or if each sample has its own file.
  std::optional<ShuffleFigure> classRun;
  std::optional<ShuffleFigure> fileRun;
  /// Shannon entropy of the classes in a batch, in bits; the mean over the epoch's batches. Absent
  /// with classRun.
  std::optional<ShuffleFigure> batchEntropy;
  /// The same for each tenth of the epoch; fewer, if there are fewer batches.
  std::vector<double> entropyAlong;
};

/// The samples of an epoch in the order in which it delivers them. All spans have one entry for
/// each sample, or are empty if it is not known.
struct EpochOrder {
  std::span<const std::uint32_t>
      places;  ///< place in the source's order: a permutation of 0 to n - 1
  std::span<const std::uint32_t> classes;  ///< class numbers
  std::span<const std::uint32_t> files;    ///< numbers of files
  std::size_t batch = 1;                   ///< samples in a batch
};

/// A batch holds clearly fewer classes than after a full shuffle, and not by chance: training sees
/// them in blocks.
bool isPoorlyMixed(const ShuffleQuality& quality);

/// The figures of a full shuffle are those of random permutations of the same samples, except the
/// distance: the sum over all samples has the expectation (n * n - 1) / 3 places and the variance
/// (n + 1) (2 n * n + 7) / 45 (Diaconis and Graham 1977). Pure; takes about 0.2 s for a million
/// samples.
ShuffleQuality shuffleQuality(const EpochOrder& order);

}  // namespace millrace
