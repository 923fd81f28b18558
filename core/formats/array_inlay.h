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
#include "core/formats/range_reader.h"

namespace millrace {

/// Reads the one long array of bytes of a record straight to where the sample wants it. Where in
/// the record it lies is known when the record has been taken apart; so each is read as if it had
/// its array where the last record of the same length had it, and is taken apart again where that
/// was wrong. One thread; a reader has one:
///   const auto inlay = m_array.guess(record's bytes, sample);
///   read the record, around the inlay where there is one
///   take it apart
///   if (!m_array.settle(record, sample)) take it apart again
class ArrayInlay {
 public:
  struct Part {
    std::string key;  ///< of the value in the record: what makes two fields is read as a whole
    FieldSpec spec;
  };
  /// For the first field with a known number of bytes above RangeReader::kLong. For none where
  /// another field's length is unknown: the record goes into the batch as a whole then.
  explicit ArrayInlay(const std::vector<Part>& parts);

  /// Where the array of a record of so many bytes is taken to lie, and the place for it; nothing:
  /// it is read as a whole.
  std::optional<RangeReader::Inlay> guess(std::size_t recordBytes, Sample& sample);
  /// After the record was taken apart, by fields that borrow from it. False: the array lies
  /// elsewhere; `record` is whole now, and the sample is to be made of it again.
  bool settle(std::span<std::byte> record, Sample& sample);

 private:
  /// The places of arrays in records of a few lengths: a label makes some a byte longer.
  struct Known {
    std::size_t recordBytes = 0;
    std::size_t begin = 0;
  };

  std::optional<std::size_t> m_field;
  FieldSpec m_spec;
  std::size_t m_bytes = 0;  ///< of the array
  std::array<Known, 4> m_known{};
  std::size_t m_next = 0;  ///< of m_known, to be replaced
  std::optional<RangeReader::Inlay> m_inlay;
  TensorView m_to;
};

}  // namespace millrace
