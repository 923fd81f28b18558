// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// Reads the one long byte array of a record directly into the sample's memory. Where the array
/// lies in the record is known only after parsing; each record is therefore read as if the array
/// were where it was in the last record of the same length, and parsed again if that was wrong.
/// One per reader; one thread:
///   const auto inlay = m_array.guess(record's bytes, sample);
///   read the record, around the inlay if there is one
///   parse it
///   if (!m_array.settle(record, sample)) parse it again
class ArrayInlay {
 public:
  struct Part {
    std::string key;  ///< key of the value in the record; a value used by two fields is not inlaid
    FieldSpec spec;
  };
  /// Uses the first field with a known number of bytes above RangeReader::kLong. Uses none if
  /// another field's length is unknown, since the whole record then goes into the batch.
  explicit ArrayInlay(const std::vector<Part>& parts);

  /// The assumed place of the array in a record of `recordBytes` bytes, and the memory for it;
  /// nullopt: read the record as a whole.
  std::optional<RangeReader::Inlay> guess(std::size_t recordBytes, Sample& sample);
  /// Call after parsing, while the fields still borrow from `record`. Returns false if the array
  /// was elsewhere: `record` is complete now and must be parsed again.
  bool settle(std::span<std::byte> record, Sample& sample);

 private:
  /// Positions of arrays for a few record lengths: labels of different length shift them.
  struct Known {
    std::size_t recordBytes = 0;
    std::size_t begin = 0;
  };

  std::optional<std::size_t> m_field;
  FieldSpec m_spec;
  std::size_t m_bytes = 0;  ///< of the array
  std::array<Known, 4> m_known{};
  std::size_t m_next = 0;  ///< the entry of m_known that is replaced next
  std::optional<RangeReader::Inlay> m_inlay;
  TensorView m_to;
};

}  // namespace millrace
