// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/convert/picture_work.h"
#include "core/convert/sample_keys.h"
#include "core/formats/format.h"
#include "core/spec/source.h"

namespace millrace {

/// How samples of a source become samples of a target. Constant; shared by all threads.
struct MakePlan {
  std::shared_ptr<const Source> source;
  std::shared_ptr<const SampleKeys> keys;
  PictureOptions pictures;
  /// The target's fields, and the source field of each. Shapes of raw pictures stay unknown until
  /// one is made.
  std::vector<FieldSpec> fields;
  std::vector<std::size_t> from;
  std::vector<std::string> notes;  ///< what is left out or changed, in sentences
};

/// Selects the fields that the target stores, and their form; `lz4` as in WriteSpec. The error says
/// what the format cannot store and what to do. `lossy`: fields that it cannot store are left out,
/// which is an error otherwise.
Result<MakePlan> planMaking(std::shared_ptr<const Source> source, const Format& format,
                            PictureOptions pictures, bool lz4 = false, bool lossy = false);

/// A sample ready to be written.
struct MadeSample {
  std::string key;
  std::vector<MadeValue> values;
};

/// Makes samples of the target. One thread. `plan` must outlive this object.
class SampleMaker {
 public:
  explicit SampleMaker(const MakePlan& plan);

  struct Made {
    std::vector<MadeSample> samples;  ///< several if patches are cut
    std::uint64_t bytesRead = 0;
    ReductionCounts reduced{};  ///< what the pictures that were decoded have lost
  };
  /// An error affects only this sample.
  Result<Made> make(std::uint32_t index);

 private:
  Status makeWhole(Made& made);
  Status makePatches(Made& made);
  Status cutPatches(const Pixels& picture, const std::string& key, Made& made);
  Result<MadeValue> value(std::size_t field, Size image);
  Result<Size> imageSize();

  const MakePlan& m_plan;
  const std::vector<FieldSpec> m_sourceFields;
  std::unique_ptr<SourceReader> m_reader;
  std::unique_ptr<StoredNames> m_names;
  std::vector<PictureWork> m_work;  ///< one per field
  PictureWork m_small;              ///< for patches
  Sample m_sample;
  ReadCounters m_counters;
};

}  // namespace millrace
