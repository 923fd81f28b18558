// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/parquet/parquet_block.h"
#include "core/formats/real_labels.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/text_classes.h"

namespace millrace::nodes {

/// A field and the column it is read from.
struct ParquetField {
  std::size_t column = 0;
  FieldSpec spec;
};

/// Determines the fields of columns from their types and a few rows. For use by one thread.
class ParquetFieldDetector {
 public:
  /// `classes`: whether the file names the classes of each column.
  ParquetFieldDetector(const std::vector<ParquetColumn>& columns, std::vector<bool> classes)
      : m_columns(columns), m_classes(std::move(classes)), m_seen(columns.size()) {}

  /// Adds what a row has in a column.
  void add(std::size_t column, const ParquetCell& cell);

  /// The fields that a user most likely needs: pictures and labels, else columns with a fixed size,
  /// else lists, else bytes.
  std::vector<ParquetField> guess() const;
  /// The fields that `entries` request, in the syntax of parseExampleKeys() with columns as keys.
  Result<std::vector<ParquetField>> chosen(const std::vector<std::string>& entries) const;
  /// The column whose values are the classes of samples that have several; -1: none, or `fields`
  /// has a label.
  std::ptrdiff_t listOfClasses(const std::vector<ParquetField>& fields) const;
  /// The columns that `fields` does not use, except `names`, with what they hold.
  std::vector<std::string> leftOut(const std::vector<ParquetField>& fields,
                                   std::string_view names = {}) const;

 private:
  struct Seen {
    std::size_t values = 0;
    std::size_t pictures = 0;  ///< picture files
    std::size_t bytes = 0;     ///< of the first value
    std::size_t count = 0;     ///< numbers of the first value
    bool sameBytes = true;
    RealLabels numbers;         ///< of columns of reals
    ClassListDetector classes;  ///< of columns that are named like labels
  };
  bool isReadable(std::size_t column) const { return m_columns[column].whyNot.empty(); }
  bool isPictureColumn(std::size_t column) const;
  bool isNamedLabel(std::size_t column) const;
  bool isLabelColumn(std::size_t column) const;
  /// The label is a quantity, not a class.
  bool isQuantityColumn(std::size_t column) const;
  /// Names of classes instead of their numbers.
  bool isLabelText(std::size_t column) const;
  /// Lists with a number for each class.
  bool isLabelVector(std::size_t column) const;
  FieldSpec specOf(std::size_t column, std::string name, Role role) const;
  Status fit(ParquetField& field, FieldSpec asked, bool typed) const;

  const std::vector<ParquetColumn>& m_columns;
  const std::vector<bool> m_classes;
  std::vector<Seen> m_seen;
};

/// Whether the field is a class number, but the column has texts.
bool hasTextClasses(const ParquetColumn& column, const FieldSpec& spec);

/// Puts what a row has in a column into field `place` of the sample, which borrows it. `classes`
/// numbers the texts if hasTextClasses(). An error fails this sample only.
Status putParquetCell(const ParquetColumn& column, const FieldSpec& spec, const ParquetCell& cell,
                      const TextClasses& classes, Sample& sample, std::size_t place);

}  // namespace millrace::nodes
