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

/// How far a survey goes; then it says that it looked at a part.
struct SurveyLimits {
  std::uint32_t samples = 1000;                     ///< evenly spread over the data
  std::uint64_t bytes = std::uint64_t{256} << 20U;  ///< read in all
  std::size_t broken = 20;                          ///< samples that are named
  std::uint32_t files = 200000;                     ///< whose sizes are asked for
};

/// Sizes of the pictures of one field that were looked at.
struct PictureSurvey {
  /// Pictures by their longer side: below 64, 128, 256, 512, 1024, 2048, and above.
  static constexpr std::array<int, 6> kEdges = {64, 128, 256, 512, 1024, 2048};
  std::array<std::uint64_t, kEdges.size() + 1> byLongerSide{};
  std::uint64_t seen = 0;
  Size least;
  Size most;
  std::map<std::string, std::uint64_t, std::less<>> formats;  ///< "JPEG", "PNG", "raw"
};

/// What a data set holds, by a look at it. Value.
struct DataSurvey {
  std::uint32_t samples = 0;
  std::uint32_t looked = 0;  ///< samples that were read
  std::vector<FieldSpec> fields;
  std::vector<std::string> classes;
  std::vector<std::uint64_t> perClass;            ///< samples; empty where labels are not known
  std::map<std::string, PictureSurvey> pictures;  ///< by field
  std::uint64_t bytesRead = 0;                    ///< of the samples looked at
  std::uint64_t bytes = 0;                        ///< of all files, or an estimate
  bool bytesEstimated = false;
  std::uint64_t broken = 0;                                        ///< of those looked at
  std::vector<std::pair<std::string, std::string>> brokenSamples;  ///< name and reason
  std::vector<std::string> warnings;

  double bytesPerSample() const {
    return looked == 0 ? 0 : static_cast<double>(bytesRead) / static_cast<double>(looked);
  }
};

/// Reads samples through the source; of pictures no more is decoded than their heads. `stop` ends
/// it early.
DataSurvey surveyData(const Source& source, const SurveyLimits& limits = {},
                      const std::atomic<bool>* stop = nullptr);

}  // namespace millrace
