// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace::nodes {

enum class RecordIoContent : std::uint8_t { Auto, Images, Bytes };
enum class RecordIoLabels : std::uint8_t { Auto, Classes, Numbers, None };

/// The fields that are known without reading a record.
std::vector<FieldSpec> expectedRecordIoFields(RecordIoContent content, RecordIoLabels labels);

/// Determines the fields from a few records. For use by one thread.
class RecordIoFieldDetector {
 public:
  void add(std::span<const std::byte> record);
  std::uint32_t records() const { return m_records; }

  /// Either `record`; or `image` (`content` if it is not a picture file) and, from its labels, a
  /// class, the numbers `label` or `labels`, or no field.
  std::vector<FieldSpec> fields(RecordIoContent content, RecordIoLabels labels) const;
  /// How many pictures have other labels than the fields of most, in a sentence; empty if none has.
  std::string others(const std::vector<FieldSpec>& fields) const;

 private:
  /// Labels of nearly every picture; Shape::kUnknown if their number changes.
  std::int64_t usualCount() const;

  std::uint32_t m_records = 0;
  std::uint32_t m_images = 0;    ///< have a label header and content after it
  std::uint32_t m_pictures = 0;  ///< of these, the picture files
  std::uint32_t m_classes = 0;   ///< images with exactly one label, an integer
  bool m_fractions = false;      ///< images with exactly one label, not an integer
  std::map<std::int64_t, std::uint32_t> m_counts;  ///< images by their number of labels
};

/// Puts a record into these fields; its bytes are borrowed. The error describes this record without
/// its position.
Status putRecordIo(std::span<const std::byte> record, const std::vector<FieldSpec>& fields,
                   Sample& sample);

}  // namespace millrace::nodes
