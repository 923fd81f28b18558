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
#include "core/spec/source.h"
#include "core/spec/value.h"

namespace millrace {

/// How a data set is organised on disk.
enum class DataLayout : std::uint8_t {
  Classes,    ///< one folder of pictures per class
  Pictures,   ///< pictures without classes
  Pairs,      ///< input pictures and target pictures
  Masks,      ///< pictures and masks
  Objects,    ///< pictures with boxes
  Manifest,   ///< a table that lists pictures
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
  int below = 3;          ///< levels of folders in which data is looked for if there is none here
};

/// Readable data below a folder that is not readable as a whole.
struct DataBelow {
  std::filesystem::path path;
  std::string kind;         ///< nameOf(FolderContent)
  std::string description;  ///< FolderContent::description
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
  /// The channels of each picture read, if none can be decoded to colours (ImageInfo::onlyStored,
  /// or more than four channels) and all have as many; otherwise 0.
  int storedChannels = 0;
  int scale = 1;                  ///< of pairs: how many times the target is larger
  bool masks = false;             ///< of pairs in containers and of tables: the targets are masks
  bool colourMasks = false;       ///< of masks: their pixels are colours
  std::filesystem::path colours;  ///< the colour table that was found; may be empty
  bool coloursComplete = false;   ///< every colour that was seen is in it
  int highestIndex = -1;          ///< of index masks: the highest index except 255 that was seen
  Values params;                  ///< of the source that reads the data; `paths`: not all files
  std::vector<DataBelow> below;   ///< if the layout is Unknown
  std::size_t classFolders = 0;   ///< number of class folders; `classes` may name fewer of them
  std::string where;              ///< " in `train`", or empty
  std::string details;            ///< what else the user needs to know, in sentences
  /// "12 class folders, 24 812 pictures." followed by the details.
  std::string description;
};

/// The layout's name; for a container that of the format: "TFRecord".
std::string_view nameOf(const FolderContent& content);
/// Whether a source can read this content.
bool isReadable(const FolderContent& content);

/// Writes `description` from the counts and details of readable loose files.
void describe(FolderContent& content);
/// Replaces the counts of a bounded detection by those of the source that reads the data.
void takeCounts(FolderContent& content, const Source& source);

/// Detects the content of a folder or of one container file. If it cannot be read, the layout is
/// Unknown and `description` gives the reason. Setting `stop` ends it early; the result is then
/// incomplete. Any thread; blocks on file I/O.
FolderContent detectContent(const std::filesystem::path& path, const ScanLimits& limits = {},
                            const std::atomic<bool>* stop = nullptr);

}  // namespace millrace
