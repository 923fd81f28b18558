// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/mds/mds_column.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

using Kind = MdsColumn::Kind;

/// Element types by name, and by the code at the start of arrays without a type in the encoding.
struct ElementType {
  std::string_view name;
  std::uint8_t code;
  DType dtype;
  std::uint32_t width;
};
constexpr std::array<ElementType, 11> kElementTypes = {{{"uint8", 8, DType::U8, 1},
                                                        {"int8", 9, DType::I8, 1},
                                                        {"uint16", 16, DType::U16, 2},
                                                        {"int16", 17, DType::I16, 2},
                                                        {"float16", 18, DType::F16, 2},
                                                        {"uint32", 32, DType::I64, 4},
                                                        {"int32", 33, DType::I32, 4},
                                                        {"float32", 34, DType::F32, 4},
                                                        {"uint64", 64, DType::I64, 8},
                                                        {"int64", 65, DType::I64, 8},
                                                        {"float64", 66, DType::F64, 8}}};
/// Distinguishes uint64, whose values may not fit, from int64.
constexpr std::uint32_t kUnsigned64 = 9;

const ElementType* typeNamed(std::string_view name) {
  for (const ElementType& type : kElementTypes)
    if (type.name == name) return &type;
  return nullptr;
}

const ElementType* typeOfCode(std::uint8_t code) {
  for (const ElementType& type : kElementTypes)
    if (type.code == code) return &type;
  return nullptr;
}

std::uint32_t widthOf(const ElementType& type) {
  return type.name == "uint64" ? kUnsigned64 : type.width;
}
std::uint32_t fileWidth(std::uint32_t width) { return width == kUnsigned64 ? 8 : width; }

/// Appends an axis; false if there are too many, or the size is too large.
bool addAxis(Shape& shape, std::uint64_t size) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;
  if (shape.rank() == Shape::kMaxRank || size > kMost) return false;
  const auto before = static_cast<std::uint64_t>(shape.elements());
  if (size > 0 && before > kMost / size) return false;
  shape.append(static_cast<std::int64_t>(size));
  return true;
}

Error notKnown(const MdsColumn& column) {
  return Error{fmt::format("column `{}` has the unknown encoding `{}`", validUtf8(column.name),
                           validUtf8(column.encoding))};
}

/// `ndarray`, `ndarray:float32`, `ndarray:float32:3,224,224`.
Status parseArray(MdsColumn& column, std::string_view rest) {
  column.kind = Kind::Array;
  if (rest.empty()) return {};
  const std::size_t colon = rest.find(':');
  const ElementType* type = typeNamed(rest.substr(0, colon));
  if (type == nullptr) return notKnown(column);
  column.dtype = type->dtype;
  column.width = widthOf(*type);
  if (colon == std::string_view::npos) return {};
  Shape shape;
  for (const std::string& axis : split(rest.substr(colon + 1), ',')) {
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(axis.data(), axis.data() + axis.size(), size);
    if (error != std::errc() || end != axis.data() + axis.size() || size == 0 ||
        !addAxis(shape, size))
      return Error{fmt::format("column `{}` is `{}`: up to {} axes from 1 on are read",
                               validUtf8(column.name), validUtf8(column.encoding),
                               Shape::kMaxRank)};
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(shape.elements()) * type->width;
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    return Error{fmt::format("column `{}` is `{}`: one value exceeds a shard",
                             validUtf8(column.name), validUtf8(column.encoding))};
  column.shape = shape;
  column.size = static_cast<std::uint32_t>(bytes);
  return {};
}

Status parseEncoding(MdsColumn& column) {
  const std::string_view text = column.encoding;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (name == "ndarray") return parseArray(column, rest);
  if (const ElementType* type = typeNamed(name == "int" ? "int64" : name)) {
    column.kind = Kind::Number;
    column.dtype = type->dtype;
    column.width = widthOf(*type);
    column.shape = Shape{};
    column.size = type->width;
    return {};
  }
  constexpr std::array<std::pair<std::string_view, Kind>, 10> kNames = {
      {{"bytes", Kind::Bytes},
       {"str", Kind::Bytes},
       {"json", Kind::Bytes},
       {"str_decimal", Kind::Bytes},
       {"jpeg", Kind::Picture},
       {"png", Kind::Picture},
       {"pil", Kind::Pixels},
       {"str_int", Kind::Digits},
       {"str_float", Kind::Digits},
       {"pkl", Kind::Pickle}}};
  for (const auto& [known, kind] : kNames) {
    if (known != name) continue;
    column.kind = kind;
    if (kind == Kind::Digits) {
      column.dtype = name == "str_int" ? DType::I64 : DType::F64;
      column.shape = Shape{};
    }
    return {};
  }
  return notKnown(column);
}

MdsValue fileValue(std::span<const std::byte> bytes) {
  return {DType::Encoded, Layout::Plain, {static_cast<std::int64_t>(bytes.size())}, bytes, 1,
          false};
}

Result<MdsValue> pixelsValue(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = 12;
  const Error damaged{fmt::format("{} bytes are too few for a pixel header", bytes.size())};
  if (bytes.size() < kHead) return damaged;
  const auto width = littleEndian<std::uint32_t>(bytes.data());
  const auto height = littleEndian<std::uint32_t>(bytes.data() + 4);
  const auto modeSize = littleEndian<std::uint32_t>(bytes.data() + 8);
  constexpr std::uint32_t kLongestMode = 16;
  if (modeSize > kLongestMode || modeSize > bytes.size() - kHead) return damaged;
  const std::string mode(reinterpret_cast<const char*>(bytes.data() + kHead), modeSize);
  const std::uint64_t channels = mode == "L" || mode == "P" ? 1
                                 : mode == "RGB"            ? 3
                                 : mode == "RGBA"           ? 4
                                                            : 0;
  if (channels == 0)
    return Error{fmt::format("its pixels have PIL's mode {}; L, P, RGB and RGBA are supported",
                             validUtf8(mode))};
  MdsValue value{DType::U8, Layout::Hwc, {}, bytes.subspan(kHead + modeSize), 1, false};
  if (!addAxis(value.shape, height) || !addAxis(value.shape, width) ||
      !addAxis(value.shape, channels) || value.elements() != value.bytes.size())
    return Error{fmt::format("{} bytes of pixels do not match {} x {} of mode {}",
                             grouped(value.bytes.size()), width, height, mode)};
  return value;
}

/// Strips the leading bytes that give a type or a shape.
Result<MdsValue> arrayValue(const MdsColumn& column, std::span<const std::byte> bytes) {
  MdsValue value{column.dtype.value_or(DType::U8), Layout::Plain, {}, bytes, column.width, false};
  const Error cut{fmt::format("an array of {} bytes is truncated", bytes.size())};
  if (!column.dtype) {
    if (bytes.empty()) return cut;
    const auto code = std::to_integer<std::uint8_t>(bytes[0]);
    const ElementType* type = typeOfCode(code);
    if (type == nullptr) return Error{fmt::format("{} is not a type of an array", code)};
    value.dtype = type->dtype;
    value.width = widthOf(*type);
    value.bytes = value.bytes.subspan(1);
  }
  if (column.shape) {
    value.shape = *column.shape;
  } else {
    if (value.bytes.empty()) return cut;
    const auto head = std::to_integer<unsigned>(value.bytes[0]);
    const std::size_t axes = head >> 2U;
    const std::size_t width = std::size_t{1} << (head & 3U);
    if (value.bytes.size() < 1 + axes * width) return cut;
    for (std::size_t i = 0; i < axes; ++i) {
      std::uint64_t size = 0;
      std::memcpy(&size, value.bytes.data() + 1 + i * width, width);
      if (!addAxis(value.shape, size))
        return Error{fmt::format("an array of {} axes; up to {} of usual sizes are read", axes,
                                 Shape::kMaxRank)};
    }
    value.bytes = value.bytes.subspan(1 + axes * width);
  }
  if (value.elements() * fileWidth(value.width) != value.bytes.size())
    return Error{fmt::format("{} bytes do not match {} {}", grouped(value.bytes.size()),
                             value.shape.text(), nameOf(value.dtype))};
  return value;
}

template <class T>
Status parseDigits(std::span<const std::byte> bytes, std::byte* to) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return Error{fmt::format("`{}` is not a number in the supported range",
                             singleLine(validUtf8(text.substr(0, 40))))};
  std::memcpy(to, &number, sizeof number);
  return {};
}

}  // namespace

Result<MdsColumn> parseMdsColumn(std::string name, std::string encoding, std::uint64_t size) {
  MdsColumn column;
  column.name = std::move(name);
  column.encoding = std::move(encoding);
  MILLRACE_TRY(parseEncoding(column));
  if (size != column.size)
    return Error{fmt::format("column `{}` is `{}` of {} bytes, but {} were expected",
                             validUtf8(column.name), validUtf8(column.encoding), grouped(size),
                             column.size == 0 ? "any number" : grouped(column.size))};
  return column;
}

Result<MdsValue> mdsValue(const MdsColumn& column, std::span<const std::byte> bytes) {
  switch (column.kind) {
    case Kind::Bytes:
    case Kind::Picture:
    case Kind::Pickle: break;
    case Kind::Pixels: return pixelsValue(bytes);
    case Kind::Digits: return MdsValue{*column.dtype, Layout::Plain, {}, bytes, 1, true};
    case Kind::Number:
    case Kind::Array: return arrayValue(column, bytes);
  }
  return fileValue(bytes);
}

Status copyMdsElements(const MdsValue& value, std::byte* to) {
  if (value.digits)
    return value.dtype == DType::I64 ? parseDigits<std::int64_t>(value.bytes, to)
                                     : parseDigits<double>(value.bytes, to);
  const bool widened = value.dtype == DType::I64 && value.width == 4;
  if (!widened && !value.bytes.empty()) std::memcpy(to, value.bytes.data(), value.bytes.size());
  if (value.dtype != DType::I64 || value.width == 8) return {};
  for (std::uint64_t i = 0; i < value.elements(); ++i) {
    const std::byte* from = value.bytes.data() + i * fileWidth(value.width);
    const std::uint64_t number =
        widened ? littleEndian<std::uint32_t>(from) : littleEndian<std::uint64_t>(from);
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return Error{fmt::format("{} exceeds the range of a 64-bit signed integer", number)};
    std::memcpy(to + i * sizeof number, &number, sizeof number);
  }
  return {};
}

}  // namespace millrace
