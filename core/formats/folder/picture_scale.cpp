// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/picture_scale.h"

#include <algorithm>
#include <optional>

#include "core/codecs/codec.h"

namespace millrace {

namespace {

/// Some files may be damaged; if none of these can be read, the run reports it.
constexpr std::uint32_t kSamplesTried = 8;

/// Whether a sample shows the picture's width: it is a file, or pixels.
bool hasWidth(const FieldSpec& field) {
  return isPicture(field.role) && (field.dtype == DType::Encoded || field.layout != Layout::Plain);
}

/// 0 if the picture cannot be read.
int widthOf(const TensorView& value, ImageDecoder& decoder) {
  if (value.dtype != DType::Encoded) return static_cast<int>(value.width());
  const Result<ImageInfo> info = decoder.open(value.content());
  return info ? info->size.width : 0;
}

/// Widths of the sample's pictures, 0 for other fields; nullopt if one cannot be read.
std::optional<std::vector<int>> widthsOf(const Sample& sample,
                                         const std::vector<FieldSpec>& fields) {
  std::vector<int> widths(fields.size(), 0);
  ImageDecoder decoder;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (!hasWidth(fields[f])) continue;
    widths[f] = widthOf(sample[f], decoder);
    if (widths[f] == 0) return std::nullopt;
  }
  return widths;
}

std::optional<std::vector<int>> firstWidths(const Source& source,
                                            const std::vector<FieldSpec>& fields) {
  const std::unique_ptr<SourceReader> reader = source.reader();
  ReadCounters counters;
  Sample sample(fields.size());
  for (std::uint32_t i = 0; i < std::min(source.atLeast(kSamplesTried), kSamplesTried); ++i) {
    sample.reset({0, i, 0}, fields.size());
    if (!reader->read(i, sample, counters)) continue;
    if (auto widths = widthsOf(sample, fields)) return widths;
  }
  return std::nullopt;
}

}  // namespace

void measurePictureScales(const Source& source, std::vector<FieldSpec>& fields) {
  const auto image = std::find_if(fields.begin(), fields.end(), [](const FieldSpec& field) {
    return hasWidth(field) && field.role == Role::Image;
  });
  if (image == fields.end() || std::count_if(fields.begin(), fields.end(), hasWidth) < 2) return;
  const auto widths = firstWidths(source, fields);
  if (!widths) return;
  const double reference = (*widths)[static_cast<std::size_t>(image - fields.begin())];
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (hasWidth(fields[f])) fields[f].scale = (*widths)[f] / reference;
}

}  // namespace millrace
