// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/one_hot_op.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/pass/picture_fields.h"

namespace millrace::nodes {

namespace {

enum Counted : std::size_t { kLabels, kPixels };

template <class T>
void appendLabels(const TensorView& values, std::vector<std::int64_t>& labels) {
  const auto* first = values.as<const T>();
  labels.assign(first, first + values.shape.elements());
}

/// The class numbers of a label: one, or those of a list.
void readLabels(const TensorView& values, std::vector<std::int64_t>& labels) {
  switch (values.dtype) {
    case DType::U8: return appendLabels<std::uint8_t>(values, labels);
    case DType::I8: return appendLabels<std::int8_t>(values, labels);
    case DType::U16: return appendLabels<std::uint16_t>(values, labels);
    case DType::I16: return appendLabels<std::int16_t>(values, labels);
    case DType::I32: return appendLabels<std::int32_t>(values, labels);
    default: return appendLabels<std::int64_t>(values, labels);
  }
}

/// Sets the 1 of a class in a vector of zeros.
void addClass(std::size_t label, DType type, std::byte* out) {
  if (type == DType::U8)
    reinterpret_cast<std::uint8_t*>(out)[label] = 1;
  else
    reinterpret_cast<float*>(out)[label] = 1;
}

struct UnknownIndices {
  std::int64_t count = 0;
  std::int64_t first = 0;
};
/// The rare case: unknown pixels other than the ignored index.
UnknownIndices unknownIndices(ImageView indices, int classes, std::int64_t ignored) {
  UnknownIndices unknown;
  const std::int64_t pixels = std::int64_t{indices.width} * indices.height;
  for (std::int64_t i = 0; i < pixels; ++i) {
    if (indices.data[i] < classes || indices.data[i] == ignored) continue;
    if (unknown.count++ == 0) unknown.first = i;
  }
  return unknown;
}

/// What to do about a colour 0xRRGGBB that is not a class.
std::string adviceOn(std::uint32_t colour, const ColourClasses& classes) {
  constexpr int kAlmost = 24;
  const ColourTable::Colour parts = {static_cast<std::uint8_t>(colour >> 16U),
                                     static_cast<std::uint8_t>(colour >> 8U),
                                     static_cast<std::uint8_t>(colour)};
  const bool isGrey = parts[0] == parts[1] && parts[1] == parts[2];
  if (isGrey && parts[0] > 0 && parts[0] < classes.table.classes())
    return "it looks like a class number: for masks of numbers, set decode.mask to index and leave "
           "colours empty";
  const auto [index, difference] = classes.table.mostSimilar(parts);
  if (difference <= kAlmost)
    return fmt::format(
        "it is almost the colour of `{}`, so the mask was saved with losses, such as JPEG, or "
        "scaled: save it as PNG in the exact colours, or set unknown to ignore",
        classes.names[static_cast<std::size_t>(index)]);
  return "add it to the colour table, set mask_fill to a class if it is padding, or set unknown to "
         "ignore";
}

}  // namespace

OneHotOp::OneHotOp(const Settings& settings, std::vector<Field> fields,
                   std::optional<ColourClasses> colours)
    : m_settings(settings), m_colours(std::move(colours)), m_fields(std::move(fields)) {}

std::vector<std::size_t> OneHotOp::replaces() const {
  std::vector<std::size_t> indices;
  for (const Field& field : m_fields) indices.push_back(field.index);
  return indices;
}

std::vector<std::string> OneHotOp::counterNames() const {
  return {"unknown labels ignored", "unknown pixels ignored"};
}

Status OneHotOp::process(Sample& sample, const OpContext& context) {
  for (const Field& field : m_fields)
    MILLRACE_TRY(field.isMask ? mask(field, sample, context) : label(field, sample, context));
  return {};
}

Status OneHotOp::label(const Field& field, Sample& sample, const OpContext& context) {
  readLabels(sample[field.index], m_labels);
  const TensorView to =
      sample.replace(field.index, m_settings.dtype, {field.classes}, Layout::Plain);
  std::fill_n(to.data, to.bytes, std::byte{0});
  for (const std::int64_t value : m_labels) {
    if (value >= 0 && value < field.classes) {
      addClass(static_cast<std::size_t>(value), m_settings.dtype, to.data);
      continue;
    }
    if (value == m_settings.ignoreIndex) continue;
    if (m_settings.unknown == UnknownValues::Error)
      return Error{
          fmt::format("{}: {} is not a class; there are {}", field.name, value, field.classes)};
    context.count(kLabels);
  }
  return {};
}

Status OneHotOp::mask(const Field& field, Sample& sample, const OpContext& context) {
  const ImageView from = readOnly(pixelsOf(sample[field.index]));
  return m_colours ? fromColours(field, from, sample, context)
                   : fromIndices(field, from, sample, context);
}

Status OneHotOp::fromColours(const Field& field, ImageView from, Sample& sample,
                             const OpContext& context) {
  const Size size = from.size();
  const bool asIndex = m_settings.masks == MaskResult::Index;
  std::byte* memory =
      asIndex
          ? sample.replace(field.index, DType::U8, {size.height, size.width, 1}, Layout::Hwc).data
          : m_indices.reserve(static_cast<std::size_t>(size.width) *
                              static_cast<std::size_t>(size.height));
  const MutableImageView indices{reinterpret_cast<std::uint8_t*>(memory), size.width, size.height,
                                 1, size.width};
  const std::uint8_t none =
      m_settings.ignoreIndex < 0 ? 255 : static_cast<std::uint8_t>(m_settings.ignoreIndex);
  const UnknownPixels unknown = m_colours->table.toIndices(from, none, indices);
  if (unknown.count > 0 && m_settings.unknown == UnknownValues::Error)
    return Error{fmt::format(
        "{}: {} of a colour that is not a class, the first one is #{:06x} at ({}, {}); {}",
        field.name, counted(static_cast<std::uint64_t>(unknown.count), "pixel"), unknown.value,
        unknown.x, unknown.y, adviceOn(unknown.value, *m_colours))};
  if (unknown.count > 0) context.count(kPixels, static_cast<std::uint64_t>(unknown.count));
  if (!asIndex) write(field, readOnly(indices), sample);
  return {};
}

Status OneHotOp::fromIndices(const Field& field, ImageView indices, Sample& sample,
                             const OpContext& context) const {
  if (write(field, indices, sample).count == 0) return {};
  const UnknownIndices unknown = unknownIndices(indices, field.classes, m_settings.ignoreIndex);
  if (unknown.count == 0) return {};
  if (m_settings.unknown == UnknownValues::Ignore) {
    context.count(kPixels, static_cast<std::uint64_t>(unknown.count));
    return {};
  }
  return Error{
      fmt::format("{}: {} pixels are not one of the {} classes, the first one is {} at ({}, {}); "
                  "increase classes, or set ignore_index or unknown",
                  field.name, unknown.count, field.classes, indices.data[unknown.first],
                  unknown.first % indices.width, unknown.first / indices.width)};
}

UnknownPixels OneHotOp::write(const Field& field, ImageView indices, Sample& sample) const {
  if (m_settings.masks == MaskResult::Index) {
    const TensorView to =
        sample.replace(field.index, DType::U8, {indices.height, indices.width, 1}, Layout::Hwc);
    std::copy_n(indices.data, to.bytes, to.as<std::uint8_t>());
    UnknownPixels unknown;
    unknown.count = std::count_if(indices.data, indices.data + to.bytes,
                                  [&](std::uint8_t value) { return value >= field.classes; });
    return unknown;
  }
  const TensorView to =
      sample.replace(field.index, m_settings.dtype,
                     pictureShape(indices.height, indices.width, field.classes, m_settings.layout),
                     m_settings.layout);
  return oneHotMask(indices, field.classes, m_settings.dtype, m_settings.layout, to.data);
}

}  // namespace millrace::nodes
