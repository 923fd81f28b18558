// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/mds/mds_column.h"
#include "core/formats/real_labels.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/text_classes.h"

namespace millrace::nodes {

/// A field and the column it is read from.
struct MdsField {
  std::size_t column = 0;
  FieldSpec spec;
};

/// Determines the fields of columns whose type alone does not define them, from a few samples. For
/// use by one thread.
class MdsFieldDetector {
 public:
  explicit MdsFieldDetector(const std::vector<MdsColumn>& columns)
      : m_columns(columns), m_seen(columns.size()) {}

  /// Adds the values of one sample, one per column.
  void add(const std::vector<std::span<const std::byte>>& values);

  /// The fields that a user most likely needs: pictures and labels, else columns with a fixed size,
  /// else bytes.
  std::vector<MdsField> guess() const;
  /// The fields that `entries` request, in the syntax of parseExampleKeys() with columns as keys.
  Result<std::vector<MdsField>> chosen(const std::vector<std::string>& entries) const;
  /// The column whose values are the classes of samples that have several; -1: none, or `fields`
  /// has a label.
  std::ptrdiff_t listOfClasses(const std::vector<MdsField>& fields) const;
  /// The columns that `fields` does not use, with what they hold.
  std::vector<std::string> leftOut(const std::vector<MdsField>& fields) const;

 private:
  struct Seen {
    std::size_t values = 0;
    std::size_t pictures = 0;  ///< picture files
    std::size_t bytes = 0;     ///< of the first value
    bool sameBytes = true;
    bool mixed = false;  ///< values of several types or ranks
    RealLabels numbers;
    DType dtype = DType::Encoded;
    Shape shape;                ///< kUnknown for axes that differ
    ClassListDetector classes;  ///< of columns that are named like labels
  };
  void examine(const MdsColumn& column, std::span<const std::byte> bytes, Seen& seen) const;
  FieldSpec specOf(std::size_t column, std::string name, Role role) const;
  bool isPictureColumn(std::size_t column) const;
  bool isLabelColumn(std::size_t column) const;
  /// The label is a quantity, not a class.
  bool isQuantityColumn(std::size_t column) const;
  /// Names of classes instead of their numbers.
  bool isLabelText(std::size_t column) const;
  /// Arrays with a number for each class.
  bool isLabelVector(std::size_t column) const;
  bool isNumberArray(std::size_t column) const;
  bool isReadable(std::size_t column) const;
  Status fit(MdsField& field, const FieldSpec& asked, bool typed) const;

  const std::vector<MdsColumn>& m_columns;
  std::vector<Seen> m_seen;
};

/// Whether the field is a class number, but the column has texts.
bool hasTextClasses(const MdsColumn& column, const FieldSpec& spec);

/// Puts a column's value into field `place` of the sample; files are borrowed. `classes` numbers
/// the texts if hasTextClasses(). An error fails this sample only.
Status putMdsValue(const MdsColumn& column, const FieldSpec& spec, std::span<const std::byte> bytes,
                   const TextClasses& classes, Sample& sample, std::size_t place);

}  // namespace millrace::nodes
