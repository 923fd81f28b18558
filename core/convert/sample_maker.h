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
#include "core/spec/source.h"

namespace millrace {

/// What formats there are to write.
enum class TargetKind : std::uint8_t {
  TfRecord,
  WebDataset,
  Folder,
  Numpy,
  Lmdb,
  Mds,
  RecordIo,
  Hdf5
};

/// How the samples of a source become those of a target: constant, shared by all threads.
struct MakePlan {
  std::shared_ptr<const Source> source;
  std::shared_ptr<const SampleKeys> keys;
  PictureOptions pictures;
  /// Fields of the target, and which of the source's each comes from. Shapes of raw pictures are
  /// only known once one is made.
  std::vector<FieldSpec> fields;
  std::vector<std::size_t> from;
  std::vector<std::string> notes;  ///< what is left out or changed, in sentences
};

/// Which fields the target takes and in what form; `lz4`: as WriteSpec has it. The error says what
/// the format cannot hold and what to do.
Result<MakePlan> planMaking(std::shared_ptr<const Source> source, TargetKind kind,
                            PictureOptions pictures, bool lz4 = false);

/// A sample as it will be written.
struct MadeSample {
  std::string key;
  std::vector<MadeValue> values;
};

/// Makes samples of the target. One thread.
class SampleMaker {
 public:
  explicit SampleMaker(const MakePlan& plan);

  struct Made {
    std::vector<MadeSample> samples;  ///< several where patches are cut
    std::uint64_t bytesRead = 0;
  };
  /// An error concerns this sample alone.
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
  std::vector<PictureWork> m_work;  ///< one a field
  PictureWork m_small;              ///< of patches
  Sample m_sample;
  ReadCounters m_counters;
};

}  // namespace millrace
