// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data/image_view.h"
#include "core/spec/source.h"

namespace millrace {

/// Limits of a survey; the result shows when one was reached.
struct SurveyLimits {
  std::uint32_t samples = 1000;                     ///< read at most, evenly spaced
  std::uint64_t bytes = std::uint64_t{256} << 20U;  ///< read at most
  std::size_t broken = 20;       ///< broken samples, and reasons, that are listed
  std::uint32_t files = 200000;  ///< whose sizes are determined
  /// The kind of the source, if it can make each page of a picture a sample; named in notes.
  std::string pagesOf;
  /// The channels that the pipeline demands of every file whose numbers it decodes; 0: it decodes
  /// to colours, or what is found decides.
  int storedChannels = 0;
};

/// Sizes of the pictures that were read of one field.
struct PictureSurvey {
  /// Number of pictures by longer side: below 64, 128, 256, 512, 1024, 2048 pixels, and above.
  static constexpr std::array<int, 6> kEdges = {64, 128, 256, 512, 1024, 2048};
  std::array<std::uint64_t, kEdges.size() + 1> byLongerSide{};
  std::uint64_t seen = 0;
  int storedChannels = 0;  ///< as FolderContent::storedChannels
  Size least;
  Size most;
  std::map<std::string, std::uint64_t, std::less<>> formats;  ///< "JPEG", "PNG", "raw"
};

/// "below 64", "64 to 127", "2048 or more": the name of a bin of PictureSurvey::byLongerSide.
std::string longerSideName(std::size_t bin);

/// What a data set contains, estimated from some of its samples. Value.
struct DataSurvey {
  std::uint32_t samples = 0;
  std::uint32_t samplesRead = 0;  ///< number of samples that were read
  std::vector<FieldSpec> fields;
  std::vector<std::string> classes;
  std::vector<std::uint64_t> perClass;  ///< samples per class; empty if labels are unknown
  std::map<std::string, PictureSurvey> pictures;  ///< by field
  std::uint64_t bytesRead = 0;                    ///< of the samples read
  std::uint64_t bytes = 0;                        ///< size of all files, or an estimate of it
  bool bytesEstimated = false;
  std::uint64_t broken = 0;  ///< among the samples read
  /// Name and reason of some of these, among them the first of each reason.
  std::vector<std::pair<std::string, std::string>> brokenSamples;
  /// The reasons in the order of their first sample, and how many samples each has; not all if
  /// there are very many.
  std::vector<std::pair<std::string, std::uint64_t>> brokenReasons;
  std::vector<std::string> warnings;

  /// The share of failed samples, in percent, that a run over the broken ones needs; 0: the usual
  /// limit is enough, or no sample can be read.
  std::uint64_t percentToAllow() const {
    if (broken <= 1 || isBroken() || 100 * broken <= samplesRead) return 0;
    return (100 * broken + samplesRead - 1) / samplesRead;
  }
  /// Whether every sample that was read is broken: a run delivers nothing.
  bool isBroken() const { return samplesRead > 0 && broken == samplesRead; }
  double bytesPerSample() const {
    return samplesRead == 0 ? 0 : static_cast<double>(bytesRead) / static_cast<double>(samplesRead);
  }
};

/// Why a picture cannot be read, with its field if it is not the one that names the sample:
/// "`mask`: not an image".
std::string reasonIn(const FieldSpec& field, const std::string& reason);

/// Reads samples from the source; of a picture only the header is decoded. A broken sample is
/// counted and does not end the survey. Setting `stop` ends it early with what was read so far. Any
/// thread; blocks on file I/O.
DataSurvey surveyData(const Source& source, const SurveyLimits& limits = {},
                      const std::atomic<bool>* stop = nullptr);

}  // namespace millrace
