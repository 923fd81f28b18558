// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/picture_fields.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

namespace millrace {

namespace {

constexpr std::int64_t kMostByteChannels = 4;

std::string notAPicture(const FieldSpec& field) {
  return fmt::format("field `{}` is not a picture but {}", field.name, field.text());
}

bool checkPicture(const FieldSpec& field, PictureNeed need, InferContext& context) {
  if (field.dtype == DType::Encoded) {
    context.error("", fmt::format("field `{}` is still an encoded file", field.name),
                  "insert a decode node before this node");
    return false;
  }
  if (field.layout == Layout::Plain || field.shape.rank() != 3) {
    context.error("fields", notAPicture(field), "name picture fields only");
    return false;
  }
  const bool u8 = field.dtype == DType::U8 && field.layout == Layout::Hwc;
  const bool takesF32 =
      need == PictureNeed::U8OrF32 || (need == PictureNeed::Fillable && field.role != Role::Mask);
  const bool f32 = field.dtype == DType::F32 && takesF32;
  if (!u8 && !f32) {
    context.error(
        "",
        fmt::format("field `{}` is {} {} here, but this node needs u8 hwc{} pictures", field.name,
                    nameOf(field.dtype), nameOf(field.layout), takesF32 ? " or f32" : ""),
        "move it before normalise, precision and one_hot");
    return false;
  }
  const std::int64_t most = u8 ? kMostByteChannels : kMostFloatChannels;
  if (field.channels() > most) {
    context.error("",
                  fmt::format("field `{}` has {} channels, but at most {} are supported",
                              field.name, field.channels(), most),
                  "move it before one_hot");
    return false;
  }
  return true;
}

/// Converts `size` from pixels of the reference to pixels of a field with another scale; unknown if
/// it is not whole.
std::int64_t scaled(std::int64_t size, const FieldSpec& field, const FieldSpec& reference,
                    InferContext& context) {
  if (size == Shape::kUnknown || reference.scale <= 0) return Shape::kUnknown;
  const double exact = static_cast<double>(size) * field.scale / reference.scale;
  const double whole = std::round(exact);
  if (std::abs(exact - whole) < 1e-6 && whole >= 1) return static_cast<std::int64_t>(whole);
  context.error(
      "",
      fmt::format("{} pixels of `{}` are {:.2f} pixels of `{}`, which is not a whole number", size,
                  reference.name, exact, field.name),
      "choose a size that is divisible by the ratio of the pair");
  return Shape::kUnknown;
}

}  // namespace

std::vector<std::size_t> geometryFields(const StreamType& in, const TextList& named) {
  return actedFields(in, named, {Role::Image, Role::Target, Role::Mask});
}

std::vector<std::size_t> colourFields(const StreamType& in, const TextList& named) {
  return actedFields(in, named, {Role::Image, Role::Target});
}

std::vector<std::size_t> imageFields(const StreamType& in, const TextList& named) {
  return actedFields(in, named, {Role::Image});
}

bool checkPictures(const StreamType& in, const std::vector<std::size_t>& acted, PictureNeed need,
                   InferContext& context) {
  bool fine = true;
  for (const std::size_t i : acted) fine = checkPicture(in.fields[i], need, context) && fine;
  return fine;
}

const FieldSpec* referenceField(const StreamType& in, const std::vector<std::size_t>& acted) {
  for (const std::size_t i : acted)
    if (in.fields[i].role == Role::Image) return &in.fields[i];
  return acted.empty() ? nullptr : &in.fields[acted.front()];
}

StreamType resizedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, PictureNeed need, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, named, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  const std::vector<std::size_t> acted = geometryFields(in, named);
  if (!checkPictures(in, acted, need, context)) return out;
  const FieldSpec& reference = *referenceField(in, acted);
  for (const std::size_t i : acted) {
    FieldSpec& field = out.fields[i];
    field.shape =
        pictureShape(scaled(height, field, reference, context),
                     scaled(width, field, reference, context), field.channels(), field.layout);
  }
  return out;
}

namespace {

std::array<std::uint8_t, 4> levelsOf(const RealList& list) {
  std::array<std::uint8_t, 4> levels{};
  for (std::size_t i = 0; i < levels.size() && !list.empty(); ++i)
    levels[i] = static_cast<std::uint8_t>(
        std::lround(std::clamp(list[std::min(i, list.size() - 1)], 0.0, 255.0)));
  return levels;
}

}  // namespace

PadFill padFill(Border border, const RealList& colour, const RealList& mask) {
  PadFill fill;
  fill.border = border;
  fill.colour = levelsOf(colour);
  fill.mask = levelsOf(mask);
  for (std::size_t i = 0; i < fill.values.size() && !colour.empty(); ++i)
    fill.values[i] = static_cast<float>(colour[std::min(i, colour.size() - 1)]);
  return fill;
}

StreamType inPlaceStream(const StreamType& in, const std::vector<std::size_t>& acted,
                         const TextList& named, bool random, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, named, {Role::Image, Role::Target}, context)) return out;
  for (const std::size_t i : acted)
    if (in.fields[i].role == Role::Mask)
      context.error("fields",
                    fmt::format("`{}` holds class indices, not colours", in.fields[i].name),
                    "remove it from the list");
  checkPictures(in, acted, PictureNeed::U8, context);
  if (random) out.randomFrom = context.node();
  return out;
}

void checkColours(const StreamType& in, const std::vector<std::size_t>& acted,
                  InferContext& context) {
  for (const std::size_t i : acted)
    if (in.fields[i].role != Role::Mask && in.fields[i].channels() == 2)
      context.error("",
                    fmt::format("field `{}` has 2 channels, but this node needs colours or grey",
                                in.fields[i].name),
                    "keep 1, 3 or 4 channels");
}

MutableImageView pixelsOf(const TensorView& value) {
  const auto width = static_cast<int>(value.width());
  const auto channels = static_cast<int>(value.channels());
  return {value.as<std::uint8_t>(), width, static_cast<int>(value.height()), channels,
          std::ptrdiff_t{width} * channels};
}

void checkChannels(const StreamType& in, const std::vector<std::size_t>& acted,
                   const RealList& list, const std::string& param, InferContext& context) {
  if (list.empty())
    context.error(param, "the list is empty", "give one value, or one for each channel");
  for (const std::size_t i : acted) {
    const std::int64_t channels = in.fields[i].channels();
    if (list.size() <= 1 || channels == Shape::kUnknown ||
        channels == static_cast<std::int64_t>(list.size()))
      continue;
    context.error(param,
                  fmt::format("{} values for `{}`, which has {} channel{}", list.size(),
                              in.fields[i].name, channels, channels == 1 ? "" : "s"),
                  "give one value, or one for each channel");
  }
}

namespace {

void checkMaskFill(const StreamType& in, const std::vector<std::size_t>& acted,
                   const RealList& fill, InferContext& context) {
  std::vector<std::size_t> masks;
  std::ranges::copy_if(acted, std::back_inserter(masks),
                       [&](std::size_t i) { return in.fields[i].role == Role::Mask; });
  checkChannels(in, masks, fill, "mask_fill", context);
  for (const double value : fill)
    if (value != std::floor(value))
      context.error("mask_fill", fmt::format("{:g} is not a whole number", value),
                    "use whole numbers from 0 to 255");
  for (const std::size_t i : masks)
    if (in.fields[i].channels() > 1 && fill.size() == 1 && fill.front() != 0)
      context.warning("mask_fill",
                      fmt::format("`{0}` holds colours, so its padding becomes the colour "
                                  "#{1:02x}{1:02x}{1:02x}",
                                  in.fields[i].name, std::lround(fill.front())),
                      "give one value for each channel");
}

}  // namespace

void checkFill(const StreamType& in, const std::vector<std::size_t>& acted, const RealList& fill,
               const RealList& maskFill, InferContext& context) {
  checkMaskFill(in, acted, maskFill, context);
  const auto outside = std::find_if(fill.begin(), fill.end(),
                                    [](double value) { return !(value >= 0 && value <= 255); });
  if (outside == fill.end()) return;
  for (const std::size_t i : acted)
    if (in.fields[i].dtype == DType::U8 && in.fields[i].role != Role::Mask)
      context.error("fill",
                    fmt::format("{:g} is no byte, but `{}` is a picture of bytes", *outside,
                                in.fields[i].name),
                    "use values from 0 to 255");
}

RealList fillLevels(const StreamType& in, const std::vector<std::size_t>& acted,
                    const RealList& colour) {
  const PadFill fill = padFill(Border::Constant, colour, {});
  std::size_t channels = std::clamp<std::size_t>(colour.size(), 1, fill.colour.size());
  for (const std::size_t i : acted)
    if (in.fields[i].role != Role::Mask) {
      if (const std::int64_t own = in.fields[i].channels(); own > 0 && own <= kMostByteChannels)
        channels = static_cast<std::size_t>(own);
      break;
    }
  RealList levels(fill.colour.begin(), fill.colour.begin() + static_cast<std::ptrdiff_t>(channels));
  if (std::ranges::adjacent_find(levels, std::not_equal_to<>()) == levels.end()) levels.resize(1);
  return levels;
}

}  // namespace millrace
