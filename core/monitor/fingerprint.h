// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace millrace {

/// Tells whether two runs read the same data: names and sizes, not contents.
struct DatasetFingerprint {
  std::uint64_t hash = 0;
  std::uint64_t samples = 0;
  std::uint64_t bytes = 0;  ///< of those files whose size is known

  /// "1f0c...-1281167-147897477120": hash, samples and bytes.
  std::string text() const;
  bool operator==(const DatasetFingerprint&) const = default;
};

/// A sample as the source lists it.
struct ListedSample {
  std::string name;  ///< below the source's root, so that a moved copy is the same
  /// Of its file, 0 where an earlier sample has told them; absent when it is no file, or has
  /// vanished.
  std::optional<std::uint64_t> bytes;
};

/// 64-bit FNV-1a over each sample's name, a zero byte and its size (8 bytes, little endian; all
/// ones when absent), in the order given: a source lists its samples in byte order of their names.
/// Modification times are left out: copying a data set changes them all. About a microsecond a
/// sample besides `sampleAt`; runs on the caller's background thread, and gives nothing once `stop`
/// is set.
std::optional<DatasetFingerprint> fingerprintDataset(
    std::uint64_t samples, const std::function<ListedSample(std::uint64_t)>& sampleAt,
    const std::atomic<bool>& stop);

/// stat(2)'s size of a regular file.
std::optional<std::uint64_t> sizeOfFile(const std::string& file);

}  // namespace millrace
