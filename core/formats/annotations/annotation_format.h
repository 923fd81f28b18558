// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/annotations/annotation_table.h"

namespace millrace {

/// Which part of a data set that names its training and validation pictures.
enum class AnnotatedPart : std::uint8_t { Train, Validation, All };

/// Where a data set is.
struct AnnotationPlaces {
  std::filesystem::path annotations;  ///< a file or a folder, as the format wants it
  std::filesystem::path pictures;     ///< the folder where paths of pictures start; empty: found
  AnnotatedPart part = AnnotatedPart::Train;
};

/// A format of annotation_formats.def, each described by one file.
struct AnnotationFormat {
  std::string_view name;    ///< the value of the source's parameter `format`: "coco"
  std::string_view title;   ///< "COCO"
  std::string_view layout;  ///< where its files are, as a phrase for help
  /// Whether the file or folder holds such annotations. Looks at names and the first bytes only.
  bool (*recognises)(const std::filesystem::path& path) = nullptr;
  /// The error names the file, and the place in it.
  Result<AnnotationTable> (*read)(const AnnotationPlaces& places) = nullptr;
};

std::span<const AnnotationFormat> annotationFormats();
/// nullptr if there is none.
const AnnotationFormat* annotationFormatNamed(std::string_view name);
/// The format that recognises `path`; nullptr if none does.
const AnnotationFormat* annotationFormatOf(const std::filesystem::path& path);

/// The folder where the paths of pictures start: the given one, or else the one in which the first
/// pictures exist, which is `near` or a folder in it or next to it. `paths` must not be empty. The
/// error says what to set.
Result<std::filesystem::path> folderOfPictures(const AnnotationPlaces& places,
                                               const std::filesystem::path& near,
                                               std::span<const std::string> paths);

/// The content of a file of at most `most` bytes. The error names it.
Result<std::string> annotationText(const std::filesystem::path& file,
                                   std::size_t most = std::size_t{4} << 30U);

}  // namespace millrace
