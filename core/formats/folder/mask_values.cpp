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

bool MaskValues::areGreyColours() const {
  return !colours.empty() && std::ranges::all_of(colours, [](std::uint32_t shade) {
    return (shade >> 16U) == (shade & 0xFFU) && (shade >> 8U & 0xFFU) == (shade & 0xFFU);
  });
}

std::string MaskValues::lossyText(std::string_view names) const {
  if (lossy == 0) return {};
  const std::vector<std::string> formats(lossyFormats.begin(), lossyFormats.end());
  return fmt::format(
      "{} of the {} {} examined {} {}, which changes class numbers and colours near edges", lossy,
      masks, names, lossy == 1 ? "is" : "are", joinWords(formats));
}

namespace {

/// Whether a WebP file has a picture with losses: the chunk `VP8 ` (WebP Container Specification).
bool isLossyWebp(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::size_t kHead = 12;
  for (std::size_t at = kHead; at + 8 <= text.size();) {
    const std::string_view name = text.substr(at, 4);
    if (name == "VP8 ") return true;
    if (name == "VP8L") return false;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + 4 + i])) << (8 * i);
    at += 8 + std::size_t{size} + size % 2;
  }
  return false;
}

/// The name of the format if it changes numbers; empty if it keeps them.
std::string_view lossyFormat(std::string_view format, std::span<const std::byte> file) {
  if (format == "JPEG") return "JPEG";
  return format == "WebP" && isLossyWebp(file) ? "lossy WebP" : "";
}

}  // namespace

void addMask(MaskValues& found, ImageDecoder& decoder, std::span<const std::byte> file) {
  DecodeRequest request;
  request.form = PixelForm::Index;
  const auto info = decoder.open(file);
  if (!info) return;
  const std::string lossy(lossyFormat(info->format, file));
  const auto image = decoder.decode(request);
  if (!image) {
    if (found.refused++ == 0) found.whyRefused = image.error().message;
    return;
  }
  ++found.masks;
  if (!lossy.empty()) {
    ++found.lossy;
    found.lossyFormats.insert(lossy);
  }
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
