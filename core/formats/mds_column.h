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
    Bytes,    ///< bytes, str, json, str_decimal: as they are
    Picture,  ///< jpeg, png: a picture file
    Pixels,   ///< pil: width, height, mode and pixels
    Number,   ///< int, float32, ...
    Digits,   ///< str_int, str_float: a number in words
    Array,    ///< ndarray, with or without type and shape
    Pickle,   ///< pkl: Python objects, which are not read
  };
  std::string name;
  std::string encoding;  ///< as the file has it
  Kind kind = Kind::Bytes;
  /// Of numbers and arrays; nothing where each value says it. uint32 and uint64 are taken as I64.
  std::optional<DType> dtype;
  std::uint32_t width = 0;     ///< bytes of an element in the file, where dtype is known
  std::optional<Shape> shape;  ///< of arrays; nothing where each value says it
  std::uint32_t size = 0;      ///< bytes of every value; 0: each sample says its own
};

/// `size` is what the file says, 0 for none. The error names an encoding that is not known or that
/// says another size.
Result<MdsColumn> parseMdsColumn(std::string name, std::string encoding, std::uint64_t size);

/// One value: a view of the sample's bytes.
struct MdsValue {
  DType dtype = DType::Encoded;
  Layout layout = Layout::Plain;
  Shape shape;
  std::span<const std::byte> bytes;  ///< of the elements, at any alignment
  std::uint32_t width = 1;           ///< of an element in there
  bool digits = false;               ///< a number in words

  std::uint64_t elements() const { return static_cast<std::uint64_t>(shape.elements()); }
};

/// What the bytes of a value are. Numbers and arrays have as many bytes as their shape says. The
/// error says what was found, without the column's name.
Result<MdsValue> mdsValue(const MdsColumn& column, std::span<const std::byte> bytes);

/// Copies the elements to where elements() values of its dtype have room. The error: a number that
/// does not fit, or words that are no number.
Status copyMdsElements(const MdsValue& value, std::byte* to);

}  // namespace millrace
