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
#include "core/samples/texture_tiles.h"

namespace millrace::samples {

/// One file of what is drawn at a place, its path below the data's folder.
struct SampleFile {
  std::string path;
  std::vector<std::byte> bytes;
};

/// Where one sample, or one shard of samples, stands in the whole.
struct SamplePlace {
  std::uint64_t seed = 0;
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

/// A kind of generated data. A pure function of the place: any thread, any order, the same bytes.
struct SampleKindEntry {
  std::string_view name;
  std::string_view description;
  std::uint32_t defaultCount = 0;
  /// Raised with every change of what is drawn, so that what older versions made is made anew.
  int version = 1;
  Result<std::vector<SampleFile>> (*draw)(const TextureTiles& tiles, const SamplePlace& place);
  /// Files that belong to the data and to no sample; may be null.
  std::vector<SampleFile> (*extra)() = nullptr;
  std::uint32_t samplesEach = 1;  ///< at a place: a shard has many
};
std::span<const SampleKindEntry> sampleKindEntries();

}  // namespace millrace::samples
