// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace::nodes {

enum class RecordIoContent : std::uint8_t { Auto, Images, Bytes };
enum class RecordIoLabels : std::uint8_t { Auto, Classes, Numbers, None };

/// The fields of records that nobody has looked at yet.
std::vector<FieldSpec> expectedRecordIoFields(RecordIoContent content, RecordIoLabels labels);

/// What a few records show of what they hold. One thread.
class RecordIoSurvey {
 public:
  void add(std::span<const std::byte> record);
  std::uint32_t records() const { return m_records; }

  /// `record`; or `image` (`content` where it is no picture file) and what becomes of its labels:
  /// a class, `label` or `labels` as numbers, or nothing.
  std::vector<FieldSpec> fields(RecordIoContent content, RecordIoLabels labels) const;

 private:
  std::uint32_t m_records = 0;
  std::uint32_t m_images = 0;    ///< with a label's head and something behind it
  std::uint32_t m_pictures = 0;  ///< of these: picture files
  std::int64_t m_labels = 1;     ///< of each image; Shape::kUnknown where they differ
  bool m_classes = true;         ///< all have one, a whole number
};

/// Puts a record into such fields; its bytes are lent. The error concerns this record, and leaves
/// out where it lies.
Status putRecordIo(std::span<const std::byte> record, const std::vector<FieldSpec>& fields,
                   Sample& sample);

}  // namespace millrace::nodes
