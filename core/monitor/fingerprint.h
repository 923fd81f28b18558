// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace millrace {

/// Identifies a data set by names and sizes, not contents, to see whether two runs read the same
/// data.
struct DatasetFingerprint {
  std::uint64_t hash = 0;
  std::uint64_t samples = 0;
  std::uint64_t bytes = 0;  ///< of the files whose size is known

  /// "1f0c...-1281167-147897477120": hash, samples and bytes.
  std::string text() const;
  bool operator==(const DatasetFingerprint&) const = default;
};

/// A sample in the source's listing.
struct ListedSample {
  std::string name;  ///< relative to the source's root, so that a moved copy is equal
  /// Size of its file; 0 if an earlier sample has the same file; absent if it is not a file or no
  /// longer exists.
  std::optional<std::uint64_t> bytes;
};

/// 64-bit FNV-1a over each sample's name, a zero byte and its size (8 bytes, little-endian; all
/// ones if absent), in the given order: a source lists its samples in byte order of their names.
/// Modification times are not included, because copying a data set changes them. Takes about a
/// microsecond for each sample in addition to `sampleAt`; runs on the calling thread, which should
/// be a background thread. nullopt once `stop` is set.
std::optional<DatasetFingerprint> fingerprintDataset(
    std::uint64_t samples, const std::function<ListedSample(std::uint64_t)>& sampleAt,
    const std::atomic<bool>& stop);

/// Size of a regular file by stat(2); nullopt for anything else.
std::optional<std::uint64_t> sizeOfFile(const std::string& file);

}  // namespace millrace
