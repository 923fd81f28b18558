// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/formats/parquet/thrift_reader.h"

namespace millrace {

/// How values are stored, by its number in the file (apache/parquet-format, parquet.thrift).
enum class ParquetType : std::uint8_t {
  Boolean,
  Int32,
  Int64,
  Int96,
  Float,
  Double,
  ByteArray,
  FixedBytes,
};

/// A column of numbers or bytes: a leaf of the schema. Value.
struct ParquetColumn {
  /// The names from the root, joined by dots, without those that only the form of a list needs.
  /// That of the bytes in struct{bytes, path}, as Hugging Face stores pictures, is the struct's.
  std::string name;
  std::string kind;  ///< for messages: "int32", "string", "list of float"
  ParquetType type = ParquetType::Boolean;
  std::uint32_t fixedBytes = 0;  ///< length of each value of FixedBytes
  /// Element type of its decoded values: booleans are U8, unsigned integers with 32 and
  /// 64 bits I64, byte arrays Encoded.
  DType dtype = DType::Encoded;
  bool isUnsigned = false;  ///< of integers
  bool isText = false;      ///< a string
  /// Nesting of nulls and lists: the levels of a present value.
  std::uint8_t definition = 0;
  std::uint8_t repetition = 0;
  /// The definition level from which a list has an element.
  std::uint8_t element = 0;
  /// Why it cannot be read ("it is a map"); empty if it can.
  std::string whyNot;

  bool list() const { return repetition > 0; }
  /// Bytes of a value in the file; 0 for byte arrays, and for booleans, which have bits.
  std::uint32_t storedBytes() const;
  /// Bytes of a decoded value; 0 for byte arrays. Values of FixedBytes are arrays of bytes.
  std::uint32_t valueBytes() const;
};

/// The stored form of an element of the schema.
struct ParquetElement {
  std::string name;
  std::optional<ParquetType> type;  ///< none: a group
  std::int64_t typeLength = 0;
  std::int64_t repetition = 0;  ///< required, optional, repeated
  std::int64_t children = 0;
  std::int64_t converted = -1;  ///< ConvertedType
  int logical = 0;              ///< the field of LogicalType that is set
  std::int64_t bits = 0;        ///< of the logical type INTEGER
  bool isSigned = true;
};

void readParquetElement(ThriftReader& thrift, ParquetElement& element);
/// The leaves of the list of elements, in the order of a row group's column chunks. The error says
/// what is impossible.
Result<std::vector<ParquetColumn>> columnsOfSchema(const std::vector<ParquetElement>& elements);

}  // namespace millrace
