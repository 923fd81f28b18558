// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/codecs/codec.h"
#include "core/data/sample.h"
#include "core/inspect/report/sample_record.h"
#include "core/spec/source.h"

namespace millrace {

/// Reads samples of a source, decodes their pictures completely, and says what is wrong with each.
/// Pictures are examined as the `decode` node of a proposal makes them: turned by their EXIF
/// orientation, in RGB or, where that does not hold them, as the numbers in their files; masks as
/// indices. One thread.
class SampleExaminer {
 public:
  explicit SampleExaminer(std::shared_ptr<const Source> source);

  /// Appends the sample's record, its share of the sums, and the reason of a finding. Blocks on
  /// file I/O; never fails.
  void examine(std::uint32_t index, ExaminedBlock& block);

 private:
  struct Picture;
  void examineFields(SampleRecord& record, ChannelSums& sums, std::string& reason);
  Picture decoded(std::size_t field, std::string& reason);
  Picture raw(std::size_t field) const;
  void take(const Picture& picture, SampleRecord& record, ChannelSums& sums) const;
  void labelled(std::uint32_t index, SampleRecord& record) const;

  const std::shared_ptr<const Source> m_source;
  const std::vector<FieldSpec> m_fields;
  std::unique_ptr<SourceReader> m_reader;
  ImageDecoder m_decoder;
  ReadCounters m_counters;
  Sample m_sample;
};

}  // namespace millrace
