// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/data/shape.h"
#include "core/data/stream_type.h"

namespace millrace {

/// A column of MosaicML's MDS shards and its encoding (mosaicml/streaming,
/// streaming/base/format/mds/encodings.py). Value.
struct MdsColumn {
  enum class Kind : std::uint8_t {
    Bytes,    ///< bytes, str, json, str_decimal: unchanged bytes
    Picture,  ///< jpeg, png: a picture file
    Pixels,   ///< pil: width, height, mode and pixels
    Number,   ///< int, float32, ...
    Digits,   ///< str_int, str_float: a number as text
    Array,    ///< ndarray, with or without type and shape
    Pickle,   ///< pkl: Python objects, not supported
  };
  std::string name;
  std::string encoding;  ///< as in the file
  Kind kind = Kind::Bytes;
  /// For numbers and arrays; nullopt if each value has its own. uint32 and uint64 become I64.
  std::optional<DType> dtype;
  std::uint32_t width = 0;     ///< bytes of an element in the file, if dtype is known
  std::optional<Shape> shape;  ///< of arrays; nullopt if each value has its own
  std::uint32_t size = 0;      ///< bytes of every value; 0: varies between samples
};

/// `size` is the size in the file, 0 for none. The error names an encoding that is unknown or
/// contradicts the size.
Result<MdsColumn> parseMdsColumn(std::string name, std::string encoding, std::uint64_t size);

/// One value, a view into the sample's bytes.
struct MdsValue {
  DType dtype = DType::Encoded;
  Layout layout = Layout::Plain;
  Shape shape;
  std::span<const std::byte> bytes;  ///< the elements, possibly unaligned
  std::uint32_t width = 1;           ///< bytes of an element
  bool digits = false;               ///< a number as text

  std::uint64_t elements() const { return static_cast<std::uint64_t>(shape.elements()); }
};

/// Interprets the bytes of a value. The size of numbers and arrays must match their shape. The
/// error says what was found, without the column's name.
Result<MdsValue> mdsValue(const MdsColumn& column, std::span<const std::byte> bytes);

/// Copies elements() values of the dtype to `to`. Errors: a number that does not fit, or text that
/// is not a number.
Status copyMdsElements(const MdsValue& value, std::byte* to);

}  // namespace millrace
