// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/lmdb/lmdb_database.h"
#include "core/formats/lmdb/lz4_value.h"
#include "core/node_parts/fields/lmdb_labels.h"

namespace millrace::nodes {

enum class LmdbContent : std::uint8_t { Auto, Pictures, Datum, Bytes };

/// What the values of a database are, and the fields that each one becomes: the value, followed by
/// the label for a Datum.
struct LmdbKind {
  LmdbContent content = LmdbContent::Bytes;  ///< never Auto
  std::vector<FieldSpec> fields;
  /// Of pictures whose labels are separate values, which are the last field.
  std::optional<LmdbLabelKeys> labels;
  /// In a sentence: how many of the values examined are something else; empty if none is.
  std::string others;
};

/// What the parameters of the source say about values.
struct LmdbAsked {
  LmdbContent content = LmdbContent::Auto;
  std::string value;   ///< as lmdbValueField() reads it; empty: found
  std::string labels;  ///< `image=label`; "auto": found; empty: none
};

/// As the parameters say, or as most of the values examined are.
Result<LmdbKind> lmdbKindOf(const LmdbAsked& asked, const LmdbDatabase& base);

/// Parses the description of a field, such as `image:u8:224x224x3`.
Result<FieldSpec> lmdbValueField(const std::string& value);
/// The field of values that are files or byte strings of any length.
FieldSpec lmdbFileField(std::string name, Role role);
/// The label field of Datums.
FieldSpec lmdbLabelField();

/// Reads values into the fields of samples; lent memory is valid until its next read. An error
/// fails one sample. For use by one thread.
class LmdbValueReader {
 public:
  explicit LmdbValueReader(ReadBy by) : m_range(by) {}

  /// Reads the value as `kind` says into field 0, and the label of a Datum into field `label`.
  Status read(const LmdbDatabase& base, std::uint32_t record, const LmdbKind& kind, Sample& sample,
              std::size_t label, ReadCounters& counters);
  /// Reads a label that is a separate value into `field`.
  Status readLabel(const LmdbDatabase& base, std::uint32_t record, const FieldSpec& spec,
                   Sample& sample, std::size_t field, ReadCounters& counters);
  /// Reads the value unchanged into `field`.
  Status readFile(const LmdbDatabase& base, std::uint32_t record, Sample& sample, std::size_t field,
                  ReadCounters& counters);

 private:
  Status readArray(const LmdbDatabase& base, std::uint32_t record, const FieldSpec& spec,
                   Sample& sample, ReadCounters& counters);

  RangeReader m_range;
  Lz4Unpacker m_unpacker;
};

}  // namespace millrace::nodes
