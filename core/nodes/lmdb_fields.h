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
#include "core/formats/lmdb_database.h"
#include "core/formats/lz4_value.h"
#include "core/formats/range_reader.h"

namespace millrace::nodes {

enum class LmdbContent : std::uint8_t { Auto, Pictures, Datum, Bytes };

/// What the values of a database are, and the fields that one becomes: the value, and the label of
/// a Datum behind it.
struct LmdbKind {
  LmdbContent content = LmdbContent::Bytes;  ///< never Auto
  std::vector<FieldSpec> fields;
};

/// As the parameters say, else by the first values. `value` is as lmdbValueField reads it, or
/// empty.
Result<LmdbKind> lmdbKindOf(LmdbContent content, const std::string& value,
                            const LmdbDatabase& base);

/// The field that `value` describes, as `image:u8:224x224x3`.
Result<FieldSpec> lmdbValueField(const std::string& value);
/// Of values that are files or bytes of any length.
FieldSpec lmdbFileField(std::string name, Role role);
/// Of Datums.
FieldSpec lmdbLabelField();

/// Reads values into the fields of samples; what it lends them lasts until its next read. Errors
/// concern one sample. One thread.
class LmdbValueReader {
 public:
  explicit LmdbValueReader(ReadBy by) : m_range(by) {}

  /// As `kind` says, into field 0; the label of a Datum into field `label`.
  Status read(const LmdbDatabase& base, std::uint32_t record, const LmdbKind& kind, Sample& sample,
              std::size_t label, ReadCounters& counters);
  /// As it is, into `field`.
  Status readFile(const LmdbDatabase& base, std::uint32_t record, Sample& sample, std::size_t field,
                  ReadCounters& counters);

 private:
  Status readArray(const LmdbDatabase& base, std::uint32_t record, const FieldSpec& spec,
                   Sample& sample, ReadCounters& counters);

  RangeReader m_range;
  Lz4Unpacker m_unpacker;
};

}  // namespace millrace::nodes
