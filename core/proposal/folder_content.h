// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// How a data set is laid out.
enum class DataLayout : std::uint8_t {
  Classes,     ///< a folder of pictures for each class
  Pictures,    ///< pictures without classes
  Pairs,       ///< pictures and what they are to become
  Masks,       ///< pictures and masks
  TfRecord,    ///< containers that a source reads
  WebDataset,  ///< the same
  Numpy,       ///< the same
  Lmdb,        ///< the same
  Mds,         ///< the same
  RecordIo,    ///< the same
  Hdf5,        ///< the same
  Parquet,     ///< containers that this version names and does not read
  Ffcv,        ///< the same
  Unknown,
};
/// "class folders", "pairs", "image and mask", "TFRecord", ...
std::string_view nameOf(DataLayout layout);
/// Whether a source of this version reads it.
bool isReadable(DataLayout layout);
/// Whether it is files of records, which a source of their own reads.
bool isContainer(DataLayout layout);

/// How far a look goes. What lies beyond is not known; nothing fails because of it.
struct LookLimits {
  std::size_t namesPerFolder = 2000;
  std::size_t folders = 64;
  std::size_t heads = 8;  ///< files of which the first bytes are read
};

/// What a folder holds, as far as was looked. Value.
struct FolderContent {
  DataLayout layout = DataLayout::Unknown;
  /// What `--data` takes: the root, or inputs and targets. Empty where it is not readable.
  std::vector<std::filesystem::path> paths;
  std::vector<std::string> classes;  ///< names of the class folders that were seen
  std::size_t files = 0;             ///< pictures, inputs or containers that were seen
  bool all = true;                   ///< nothing lay beyond the limits
  Size least;     ///< the smallest width and height of the pictures looked into; {0, 0}: of none
  int scale = 1;  ///< of pairs: how many times larger the target is
  bool masks = false;  ///< of pairs in containers: the second are masks
  /// "12 class folders, 24 812 pictures." and what a person has to know, in sentences.
  std::string words;
};

/// Looks at a folder, or at one container file. Where it cannot be read, `words` says so and the
/// layout is Unknown. `stop` ends the look early: then the result is of no use.
FolderContent lookAt(const std::filesystem::path& path, const LookLimits& limits = {},
                     const std::atomic<bool>* stop = nullptr);

}  // namespace millrace
