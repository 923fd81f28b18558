// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_schema.h"

#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::int64_t kRepeatedElement = 2;
/// Levels have a byte here.
constexpr int kHighestLevel = 200;
constexpr std::uint32_t kLongestFixed = 1U << 24U;

// Numbers of ConvertedType.
constexpr std::int64_t kConvertedUtf8 = 0;
constexpr std::int64_t kConvertedMap = 1;
constexpr std::int64_t kConvertedMapKeyValue = 2;
constexpr std::int64_t kConvertedList = 3;
constexpr std::int64_t kConvertedEnum = 4;
constexpr std::int64_t kConvertedDecimal = 5;
constexpr std::int64_t kConvertedUnsigned8 = 11;
constexpr std::int64_t kConvertedSigned8 = 15;
constexpr std::int64_t kConvertedJson = 19;
constexpr std::int64_t kConvertedInterval = 21;
// Numbers of the fields of LogicalType.
constexpr int kLogicalString = 1;
constexpr int kLogicalMap = 2;
constexpr int kLogicalList = 3;
constexpr int kLogicalEnum = 4;
constexpr int kLogicalDecimal = 5;
constexpr int kLogicalInteger = 10;
constexpr int kLogicalJson = 12;
constexpr int kLogicalFloat16 = 15;
constexpr int kLogicalVariant = 16;

bool isMapGroup(const ParquetElement& e) {
  return e.converted == kConvertedMap || e.converted == kConvertedMapKeyValue ||
         e.logical == kLogicalMap;
}
bool isListGroup(const ParquetElement& e) {
  return e.converted == kConvertedList || e.logical == kLogicalList;
}
bool isDecimal(const ParquetElement& e) {
  return e.converted == kConvertedDecimal || e.logical == kLogicalDecimal;
}

/// Bits and sign of an integer.
void readIntegerForm(const ParquetElement& e, ParquetColumn& column) {
  std::int64_t bits = column.type == ParquetType::Int32 ? 32 : 64;
  if (e.logical == kLogicalInteger) {
    bits = e.bits;
    column.isUnsigned = !e.isSigned;
  } else if (e.converted >= kConvertedUnsigned8 && e.converted < kConvertedSigned8 + 4) {
    bits = std::int64_t{8} << ((e.converted - kConvertedUnsigned8) % 4);
    column.isUnsigned = e.converted < kConvertedSigned8;
  }
  const bool wide = column.type == ParquetType::Int64;
  if (wide ? bits != 64 : bits != 8 && bits != 16 && bits != 32) {
    column.whyNot = fmt::format("its integers have {} bits in {}", bits, wide ? 64 : 32);
    return;
  }
  column.kind = fmt::format("{}int{}", column.isUnsigned ? "u" : "", bits);
  if (bits == 8)
    column.dtype = column.isUnsigned ? DType::U8 : DType::I8;
  else if (bits == 16)
    column.dtype = column.isUnsigned ? DType::U16 : DType::I16;
  else
    column.dtype = bits == 32 && !column.isUnsigned ? DType::I32 : DType::I64;
}

void readFixedForm(const ParquetElement& e, ParquetColumn& column) {
  if (e.logical == kLogicalFloat16 && column.fixedBytes == 2) {
    column.kind = "float16";
    column.dtype = DType::F16;
    return;
  }
  column.kind = fmt::format("{} bytes", column.fixedBytes);
  column.dtype = DType::U8;
  if (e.converted == kConvertedInterval) column.whyNot = "it is an interval";
}

void readForm(const ParquetElement& e, ParquetColumn& column) {
  column.type = *e.type;
  switch (*e.type) {
    case ParquetType::Boolean:
      column.kind = "boolean";
      column.dtype = DType::U8;
      break;
    case ParquetType::Int32:
    case ParquetType::Int64: readIntegerForm(e, column); break;
    case ParquetType::Int96:
      column.kind = "int96";
      column.whyNot = "it is a time in 96 bits (INT96); write it as INT64";
      break;
    case ParquetType::Float:
      column.kind = "float";
      column.dtype = DType::F32;
      break;
    case ParquetType::Double:
      column.kind = "double";
      column.dtype = DType::F64;
      break;
    case ParquetType::ByteArray:
      column.isText = e.converted == kConvertedUtf8 || e.converted == kConvertedEnum ||
                      e.converted == kConvertedJson || e.logical == kLogicalString ||
                      e.logical == kLogicalEnum || e.logical == kLogicalJson;
      column.kind = column.isText ? "string" : "binary";
      break;
    case ParquetType::FixedBytes: readFixedForm(e, column); break;
  }
  if (isDecimal(e)) column.whyNot = "it holds decimals; write it as float or double";
}

/// Walks the tree that the list of elements is in depth-first order.
class SchemaWalk {
 public:
  explicit SchemaWalk(const std::vector<ParquetElement>& elements) : m_elements(elements) {}

  Result<std::vector<ParquetColumn>> columns() {
    if (m_elements.empty() || m_elements.front().type || m_elements.front().children <= 0)
      return Error{"its schema has no columns"};
    const std::int64_t children = m_elements.front().children;
    m_next = 1;
    for (std::int64_t i = 0; i < children; ++i) MILLRACE_TRY(node(Above{}));
    if (m_next != m_elements.size()) return Error{"its schema is damaged: elements are left over"};
    return std::move(m_columns);
  }

 private:
  /// What the groups above a node add up to.
  struct Above {
    std::string name;
    std::string whyNot;
    int depth = 0;
    int definition = 0;
    int repetition = 0;
    int element = 0;
    bool listed = false;   ///< the node is the repeated one of a list
    bool unnamed = false;  ///< the node is the element of a list
    bool picture = false;  ///< the node is a member of struct{bytes, path}
  };

  const ParquetElement* peek(std::size_t ahead) const {
    return m_next + ahead < m_elements.size() ? &m_elements[m_next + ahead] : nullptr;
  }

  /// Whether the group just taken is struct{bytes, path}.
  bool isPictureStruct(const ParquetElement& group) const {
    const ParquetElement* one = peek(0);
    const ParquetElement* two = peek(1);
    if (group.children != 2 || one == nullptr || two == nullptr) return false;
    if (one->name != "bytes") std::swap(one, two);
    return one->name == "bytes" && one->type == ParquetType::ByteArray && two->name == "path" &&
           two->type == ParquetType::ByteArray;
  }

  static std::string nameBelow(const Above& above, const ParquetElement& e) {
    if (above.listed || above.unnamed || (above.picture && e.name == "bytes")) return above.name;
    return above.name.empty() ? e.name : above.name + "." + e.name;
  }

  Status node(const Above& above) {
    if (m_next >= m_elements.size()) return Error{"its schema is cut off"};
    const ParquetElement& e = m_elements[m_next++];
    Above here = above;
    here.name = nameBelow(above, e);
    here.listed = here.unnamed = here.picture = false;
    if (e.repetition != 0) ++here.definition;
    if (e.repetition == kRepeatedElement) {
      ++here.repetition;
      here.element = here.definition;
    }
    if (++here.depth > kHighestLevel) return Error{"its schema is nested too deeply"};
    if (e.type) return leaf(e, here);
    if (e.children <= 0) return Error{fmt::format("group `{}` has no columns", validUtf8(e.name))};
    enterGroup(e, above, here);
    for (std::int64_t i = 0; i < e.children; ++i) MILLRACE_TRY(node(here));
    return {};
  }

  void enterGroup(const ParquetElement& e, const Above& above, Above& here) const {
    const ParquetElement* child = peek(0);
    if (isMapGroup(e)) here.whyNot = "it is a map";
    if (e.logical == kLogicalVariant) here.whyNot = "it is a variant";
    if (e.repetition == kRepeatedElement) {
      // The rules of apache/parquet-format, LogicalTypes, for lists: the repeated group is the
      // element itself if it has these names or several members.
      const bool isElement = e.children > 1 || e.name == "array" || e.name.ends_with("_tuple");
      here.unnamed = above.listed && !isElement;
      if (!here.unnamed && here.whyNot.empty()) here.whyNot = "it is a list of structs";
    } else if (isListGroup(e) && e.children == 1 && child != nullptr &&
               child->repetition == kRepeatedElement) {
      here.listed = true;
    } else if (here.repetition > 0 && here.whyNot.empty()) {
      here.whyNot = "it is a list of structs";
    }
    here.picture = here.repetition == 0 && isPictureStruct(e);
  }

  Status leaf(const ParquetElement& e, const Above& here) {
    if (e.children > 0) return Error{fmt::format("column `{}` has members", validUtf8(e.name))};
    ParquetColumn column;
    column.name = here.name;
    if (*e.type == ParquetType::FixedBytes) {
      if (e.typeLength <= 0 || e.typeLength > kLongestFixed)
        return Error{
            fmt::format("values of column `{}` have {} bytes", validUtf8(e.name), e.typeLength)};
      column.fixedBytes = static_cast<std::uint32_t>(e.typeLength);
    }
    readForm(e, column);
    column.definition = static_cast<std::uint8_t>(here.definition);
    column.repetition = static_cast<std::uint8_t>(here.repetition);
    column.element = static_cast<std::uint8_t>(here.element);
    if (!here.whyNot.empty()) column.whyNot = here.whyNot;
    if (column.list()) {
      column.kind = "list of " + column.kind;
      if (column.whyNot.empty() && here.repetition > 1) column.whyNot = "it is a list of lists";
      const bool bytes = *e.type == ParquetType::ByteArray ||
                         (*e.type == ParquetType::FixedBytes && column.dtype != DType::F16);
      if (column.whyNot.empty() && bytes) column.whyNot = "it is a list of byte strings";
    }
    m_columns.push_back(std::move(column));
    return {};
  }

  const std::vector<ParquetElement>& m_elements;
  std::size_t m_next = 0;
  std::vector<ParquetColumn> m_columns;
};

void readLogicalType(ThriftReader& thrift, ThriftType type, ParquetElement& element) {
  thrift.structure(type, [&](int id, ThriftType of) {
    element.logical = id;
    if (id != kLogicalInteger) return false;
    return thrift.structure(of, [&](int field, ThriftType value) {
      if (field == 1) return thrift.integer(value, element.bits);
      return field == 2 && thrift.boolean(value, element.isSigned);
    });
  });
}

}  // namespace

std::uint32_t ParquetColumn::storedBytes() const {
  switch (type) {
    case ParquetType::Int32:
    case ParquetType::Float: return 4;
    case ParquetType::Int64:
    case ParquetType::Double: return 8;
    case ParquetType::Int96: return 12;
    case ParquetType::FixedBytes: return fixedBytes;
    default: return 0;
  }
}

std::uint32_t ParquetColumn::valueBytes() const {
  if (type == ParquetType::ByteArray) return 0;
  if (type == ParquetType::FixedBytes) return fixedBytes;
  return static_cast<std::uint32_t>(sizeOf(dtype));
}

void readParquetElement(ThriftReader& thrift, ParquetElement& element) {
  std::int64_t stored = 0;
  thrift.fields([&](int id, ThriftType type) {
    switch (id) {
      case 1:
        thrift.integer(type, stored);
        if (stored < 0 || stored > static_cast<int>(ParquetType::FixedBytes))
          thrift.fail();
        else
          element.type = static_cast<ParquetType>(stored);
        return true;
      case 2: return thrift.integer(type, element.typeLength);
      case 3: return thrift.integer(type, element.repetition);
      case 4: return thrift.text(type, element.name);
      case 5: return thrift.integer(type, element.children);
      case 6: return thrift.integer(type, element.converted);
      case 10: readLogicalType(thrift, type, element); return true;
      default: return false;
    }
  });
  if (element.repetition < 0 || element.repetition > kRepeatedElement) thrift.fail();
}

Result<std::vector<ParquetColumn>> columnsOfSchema(const std::vector<ParquetElement>& elements) {
  return SchemaWalk(elements).columns();
}

}  // namespace millrace
