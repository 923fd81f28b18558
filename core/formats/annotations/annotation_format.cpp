// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/annotation_format.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace fs = std::filesystem;

#define MILLRACE_ANNOTATIONS(name) AnnotationFormat name##Annotations();
#include "core/formats/annotations/annotation_formats.def"
#undef MILLRACE_ANNOTATIONS

std::span<const AnnotationFormat> annotationFormats() {
  static const std::array formats = {
#define MILLRACE_ANNOTATIONS(name) name##Annotations(),
#include "core/formats/annotations/annotation_formats.def"
#undef MILLRACE_ANNOTATIONS
  };
  return formats;
}

const AnnotationFormat* annotationFormatNamed(std::string_view name) {
  const auto found = std::ranges::find(annotationFormats(), name, &AnnotationFormat::name);
  return found == annotationFormats().end() ? nullptr : &*found;
}

const AnnotationFormat* annotationFormatOf(const fs::path& path) {
  const auto found = std::ranges::find_if(
      annotationFormats(), [&](const AnnotationFormat& format) { return format.recognises(path); });
  return found == annotationFormats().end() ? nullptr : &*found;
}

namespace {

/// Whether the first of these files exist; one may be missing.
bool holds(const fs::path& folder, std::span<const std::string> paths) {
  constexpr std::size_t kTried = 8;
  std::error_code ignored;
  return std::ranges::any_of(
      paths.first(std::min(kTried, paths.size())),
      [&](const std::string& path) { return fs::is_regular_file(folder / path, ignored); });
}

}  // namespace

Result<fs::path> folderOfPictures(const AnnotationPlaces& places, const fs::path& near,
                                  std::span<const std::string> paths) {
  if (!places.pictures.empty()) return places.pictures;
  const fs::path above = near.parent_path();
  const std::string annotated = places.annotations.filename().native();
  std::vector<fs::path> tried{near, above};
  for (const fs::path& outer : {near, above}) {
    for (const std::string& name : foldersFor(annotated, outer)) {
      tried.push_back(outer / name);
      for (const std::string& inner : foldersFor(annotated, outer / name))
        tried.push_back(outer / name / inner);
    }
  }
  const auto found =
      std::ranges::find_if(tried, [&](const fs::path& folder) { return holds(folder, paths); });
  if (found != tried.end()) return *found;
  return Error{
      fmt::format("the pictures of `{}` were not found near it (first: {}); give their "
                  "folder: `images=FOLDER`",
                  validUtf8(places.annotations.native()), singleLine(paths.front()))};
}

Result<std::string> annotationText(const fs::path& file, std::size_t most) {
  const auto named = [&](const Error& error) {
    return Error{fmt::format("`{}`: {}", validUtf8(file.native()), error.message)};
  };
  const Result<OpenFile> opened = openForReading(file);
  if (!opened) return named(opened.error());
  if (opened->size > most)
    return named({fmt::format("it is larger than {}", humanBytes(static_cast<double>(most)))});
  std::string text(opened->size, '\0');
  const Result<std::size_t> read = readAt(opened->fd.get(), 0, text.data(), text.size());
  if (!read) return named(read.error());
  text.resize(*read);
  return text;
}

}  // namespace millrace
