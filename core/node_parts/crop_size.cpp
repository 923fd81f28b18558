// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/crop_size.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace {

Result<Size> cropSize(const Window& window, std::int64_t height, std::int64_t width) {
  const Result<int> across = window.fromImagePixels(width);
  if (!across) return across.error();
  const Result<int> down = window.fromImagePixels(height);
  if (!down) return down.error();
  return Size{*across, *down};
}

void padToAtLeast(Window& window, Size size, const PadFill& fill) {
  const Size seen = window.size();
  const int across = std::max(0, size.width - seen.width);
  const int down = std::max(0, size.height - seen.height);
  if (across == 0 && down == 0) return;
  window.pad(across / 2, down / 2, across - across / 2, down - down / 2, fill);
}

Error tooSmall(const Window& window, std::int64_t height, std::int64_t width) {
  const Size seen = window.size();
  return Error{fmt::format(
      "the picture is {} x {} pixels, smaller than the crop of {} x {}: make the "
      "crop smaller, or insert a resize before it",
      seen.width * window.imageRatio(), seen.height * window.imageRatio(), width, height)};
}

StreamType croppedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, bool pads, InferContext& context) {
  const PictureNeed need = pads ? PictureNeed::Fillable : PictureNeed::U8OrF32;
  StreamType out = resizedStream(in, named, height, width, need, context);
  const FieldSpec* reference = referenceField(in, geometryFields(in, named));
  if (pads || reference == nullptr || reference->dtype == DType::Encoded) return out;
  const bool low = reference->height() != Shape::kUnknown && reference->height() < height;
  const bool narrow = reference->width() != Shape::kUnknown && reference->width() < width;
  if (low || narrow)
    context.error(low ? "height" : "width",
                  fmt::format("the pictures are {} x {} pixels, smaller than the crop of {} x {}",
                              reference->width(), reference->height(), width, height),
                  "make the crop smaller, or insert a resize before it");
  return out;
}

}  // namespace millrace
