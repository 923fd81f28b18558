// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/mask_values.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// Samples whose masks are decoded when a pipeline is checked.
constexpr std::uint32_t kMasksExamined = 4;

void addPixels(MaskValues& found, const ImageView& pixels) {
  const bool colour = pixels.channels == 3;
  if (colour) ++found.colour;
  for (int y = 0; y < pixels.height; ++y) {
    const std::uint8_t* row = pixels.data + static_cast<std::ptrdiff_t>(y) * pixels.stride;
    std::uint32_t last = ~0U;
    for (int x = 0; x < pixels.width; ++x) {
      if (!colour) {
        found.values.set(row[x]);
        continue;
      }
      const std::uint32_t value = static_cast<std::uint32_t>(row[3 * x]) << 16U |
                                  static_cast<std::uint32_t>(row[3 * x + 1]) << 8U | row[3 * x + 2];
      if (value != last && found.colours.size() <= MaskValues::kMostColours)
        found.colours.insert(value);
      last = value;
    }
  }
}

}  // namespace

int MaskValues::highest() const {
  for (int value = 254; value >= 0; --value)
    if (values.test(static_cast<std::size_t>(value))) return value;
  return -1;
}

std::string MaskValues::text() const {
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> names;
  for (std::size_t value = 0; value < values.size(); ++value)
    if (values.test(value)) names.push_back(std::to_string(value));
  if (names.size() <= kNamed) return joinWords(names);
  if (!values.test(255))
    return fmt::format("{} to {} ({} values)", names.front(), names.back(), names.size());
  return fmt::format("{} to {} ({} values) and 255", names.front(), highest(), names.size() - 1);
}

void addMask(MaskValues& found, ImageDecoder& decoder, std::span<const std::byte> file) {
  DecodeRequest request;
  request.form = PixelForm::Index;
  const auto info = decoder.open(file);
  if (!info) return;
  const bool jpeg = info->format == "JPEG";
  const auto image = decoder.decode(request);
  if (!image) {
    if (found.refused++ == 0) found.whyRefused = image.error().message;
    return;
  }
  ++found.masks;
  if (jpeg) ++found.lossy;
  addPixels(found, image->pixels);
}

std::map<std::string, MaskValues> examineMasks(const Source& source,
                                               const std::vector<FieldSpec>& fields) {
  const auto isMaskFile = [](const FieldSpec& field) {
    return field.role == Role::Mask && field.dtype == DType::Encoded;
  };
  std::map<std::string, MaskValues> found;
  if (std::ranges::none_of(fields, isMaskFile)) return found;
  const std::unique_ptr<SourceReader> reader = source.reader();
  ReadCounters counters;
  ImageDecoder decoder;
  Sample sample(fields.size());
  for (std::uint32_t i = 0; i < std::min(source.atLeast(kMasksExamined), kMasksExamined); ++i) {
    sample.reset({0, i, 0}, fields.size());
    if (!reader->read(i, sample, counters)) continue;
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (isMaskFile(fields[f])) addMask(found[fields[f].name], decoder, sample[f].content());
  }
  return found;
}

}  // namespace millrace
