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
#include "core/formats/format.h"

namespace millrace {

/// How a data set is organised on disk.
enum class DataLayout : std::uint8_t {
  Classes,    ///< one folder of pictures per class
  Pictures,   ///< pictures without classes
  Pairs,      ///< input pictures and target pictures
  Masks,      ///< pictures and masks
  Container,  ///< container files of a format (FolderContent::format)
  Unknown,
};
/// "class folders", "pairs", "image and mask", ...
std::string_view nameOf(DataLayout layout);

/// Limits of the detection. What lies beyond is not examined, which is not an error.
struct ScanLimits {
  std::size_t namesPerFolder = 2000;
  std::size_t folders = 64;
  std::size_t heads = 8;  ///< picture headers that are read
};

/// What a folder contains, within the limits of the detection. Value.
struct FolderContent {
  DataLayout layout = DataLayout::Unknown;
  const Format* format = nullptr;  ///< set if the layout is Container
  /// The arguments for `--data`: the root, or inputs and targets. Empty if the layout is not
  /// readable.
  std::vector<std::filesystem::path> paths;
  std::vector<std::string> classes;  ///< names of the class folders found
  std::size_t files = 0;             ///< number of pictures, inputs or containers found
  bool all = true;                   ///< no limit was reached
  /// Smallest width and smallest height among the pictures read; {0, 0}: none was read.
  Size least;
  int scale = 1;       ///< of pairs: how many times the target is larger
  bool masks = false;  ///< of pairs in containers: the targets are masks
  /// "12 class folders, 24 812 pictures." and what the user needs to know, in sentences.
  std::string description;
};

/// The layout's name; for a container that of the format: "TFRecord".
std::string_view nameOf(const FolderContent& content);
/// Whether a source can read this content.
bool isReadable(const FolderContent& content);

/// Detects the content of a folder or of one container file. If it cannot be read, the layout is
/// Unknown and `description` gives the reason. Setting `stop` ends it early; the result is then
/// incomplete. Any thread; blocks on file I/O.
FolderContent detectContent(const std::filesystem::path& path, const ScanLimits& limits = {},
                            const std::atomic<bool>* stop = nullptr);

}  // namespace millrace
