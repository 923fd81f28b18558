// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sample_data/texture_tiles.h"

namespace millrace::samples {

/// One generated file; its path is relative to the data's folder.
struct SampleFile {
  std::string path;
  std::vector<std::byte> bytes;
};

/// The position of a sample, or of a shard of samples, in the whole data set.
struct SamplePlace {
  std::uint64_t seed = 0;
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

/// A kind of generated data. A pure function of the place: the same bytes on any thread and in any
/// order.
struct SampleKindEntry {
  std::string_view name;
  std::string_view description;
  std::uint32_t defaultCount = 0;
  /// Increase it with every change of the generated data, so that data of older versions is
  /// generated again.
  int version = 1;
  Result<std::vector<SampleFile>> (*draw)(const TextureTiles& tiles, const SamplePlace& place);
  /// Files that belong to the data set and not to a sample; may be null.
  std::vector<SampleFile> (*extra)() = nullptr;
  std::uint32_t samplesEach = 1;  ///< samples per place: a shard has many
  bool hasValidation = false;     ///< the places from trainingPart on are for validation
};
/// How many of `count` places are for training if some are for validation: all but a fifth.
constexpr std::uint32_t trainingPart(std::uint32_t count) { return count - count / 5; }
std::span<const SampleKindEntry> sampleKindEntries();

}  // namespace millrace::samples
