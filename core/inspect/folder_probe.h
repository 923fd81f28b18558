// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/codec.h"
#include "core/data/image_view.h"

namespace millrace {

/// The first names in a folder; files and folders in byte order each, without those that sources
/// leave out, too: junk by name (core/formats/folder/junk_names.h), and links to a folder above.
struct FolderProbe {
  std::vector<std::string> files;
  std::vector<std::string> folders;
  bool all = true;  ///< no names are missing
};

/// Reads at most `most` names. The error is a sentence that says what to do.
Result<FolderProbe> probeFolder(const std::filesystem::path& folder, std::size_t most);

/// The files that a source of pictures would find in a folder and the folders in it.
struct PictureList {
  /// All that may be pictures, relative to the folder: a file without a picture's extension may be
  /// one, too.
  std::vector<std::string> names;
  /// Of these, those with the extension of a picture format, or without any in a folder whose first
  /// file is a picture.
  std::size_t pictures = 0;
  std::string firstPicture;  ///< empty: there is none
  bool all = true;           ///< no limit was reached

  /// The first picture; nullptr if there is none.
  const std::string* first() const { return firstPicture.empty() ? nullptr : &firstPicture; }
};
/// Lists about `most` files.
PictureList listPictures(const std::filesystem::path& folder, std::size_t most);
/// The number of files in the folder itself that a source of pictures would read; 0 if none has the
/// extension of a picture format.
std::size_t picturesIn(const FolderProbe& seen);

/// Whether the extension is that of a picture format that this version decodes.
bool isPictureName(std::string_view name);
/// The name without its extension.
std::string_view stemOf(std::string_view name);

/// The header of a picture; nullopt if the file is no picture or unreadable. Reads the first bytes,
/// and more only of formats whose header may be at the end.
std::optional<ImageInfo> pictureHead(const std::filesystem::path& file);
/// The size of pictureHead().
std::optional<Size> pictureSize(const std::filesystem::path& file);
/// The number of channels of a picture that cannot be decoded to colours; otherwise 0.
int storedChannelsOf(const ImageInfo& head);

}  // namespace millrace
