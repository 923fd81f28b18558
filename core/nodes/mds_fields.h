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
#include "core/formats/mds_column.h"

namespace millrace::nodes {

/// A field and the column that it comes from.
struct MdsField {
  std::size_t column = 0;
  FieldSpec spec;
};

/// What a few samples show of columns that do not say all by themselves. One thread.
class MdsSurvey {
 public:
  explicit MdsSurvey(const std::vector<MdsColumn>& columns)
      : m_columns(columns), m_seen(columns.size()) {}

  /// The values of one sample, one a column.
  void add(const std::vector<std::span<const std::byte>>& values);

  /// The fields that a person most likely wants: pictures and labels, else whatever has one size,
  /// else bytes.
  std::vector<MdsField> guess() const;
  /// The fields that `entries` ask for, as parseExampleKeys reads them with columns for keys.
  Result<std::vector<MdsField>> chosen(const std::vector<std::string>& entries) const;
  /// Columns that `fields` leaves out, with what they hold.
  std::vector<std::string> leftOut(const std::vector<MdsField>& fields) const;

 private:
  struct Seen {
    std::size_t values = 0;
    std::size_t pictures = 0;  ///< picture files
    std::size_t bytes = 0;     ///< of the first
    bool sameBytes = true;
    bool mixed = false;  ///< values of several types or numbers of axes
    DType dtype = DType::Encoded;
    Shape shape;  ///< kUnknown along axes that differ
  };
  void look(const MdsColumn& column, std::span<const std::byte> bytes, Seen& seen) const;
  FieldSpec specOf(std::size_t column, std::string name, Role role) const;
  bool isPictureColumn(std::size_t column) const;
  bool isLabelColumn(std::size_t column) const;
  bool isReadable(std::size_t column) const;
  Status fit(MdsField& field, const FieldSpec& asked, bool typed) const;

  const std::vector<MdsColumn>& m_columns;
  std::vector<Seen> m_seen;
};

/// Puts a column's value into field `place` of the sample; files are borrowed. An error concerns
/// this sample alone.
Status putMdsValue(const MdsColumn& column, const FieldSpec& spec, std::span<const std::byte> bytes,
                   Sample& sample, std::size_t place);

}  // namespace millrace::nodes
