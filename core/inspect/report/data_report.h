// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/report/sample_comparison.h"

namespace millrace {

/// A sample as a report names it.
struct ReportedSample {
  std::string set;
  std::string name;  ///< Source::name
  std::string file;  ///< ExaminedSet::fileOf
  std::string reason;
  std::string likeSet;  ///< of a copy: the set, the sample and its file that it is a copy of
  std::string like;
  std::string likeFile;
  std::uint32_t index = 0;  ///< in its set
  std::uint32_t likeIndex = 0;
};

struct ReportedFinding {
  Finding finding = Finding::Broken;
  std::uint64_t count = 0;
  std::vector<ReportedSample> samples;  ///< the first ones
};

struct SlowSample {
  std::string name;
  std::string file;  ///< ExaminedSet::fileOf
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint64_t bytes = 0;
  double milliseconds = 0;  ///< processor time for decoding
  std::uint32_t index = 0;  ///< in its set
};

/// Smallest, middle and largest of the sides of pictures.
struct SideRange {
  std::uint32_t least = 0;
  std::uint32_t median = 0;
  std::uint32_t most = 0;
};

/// Names the proportions of pictures by the nearest of common ones.
inline constexpr std::array<std::string_view, 9> kProportionNames = {
    "1:2 and narrower", "9:16", "2:3", "3:4", "1:1", "4:3", "3:2", "16:9", "2:1 and wider"};
/// The position in kProportionNames.
std::size_t proportionsOf(std::uint32_t width, std::uint32_t height);

/// Bins of the time for decoding a sample: below each of these, in milliseconds, and above.
inline constexpr std::array<unsigned, 10> kDecodeEdges = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
/// "below 1 ms", "1 to 2 ms", "1000 ms or more": the name of a bin of SetReport::decodeTimes.
std::string decodeTimeName(std::size_t bin);

using CountByName = std::map<std::string, std::uint64_t>;

/// Figures of one set, of the first picture of each sample.
struct SetReport {
  std::string name;
  std::string path;
  std::string kind;
  std::string node;           ///< id of the source in the proposed pipeline
  bool partsOfFiles = false;  ///< samples are parts of files, such as records: no path names one
  std::uint64_t samples = 0;
  std::uint64_t examined = 0;
  std::uint64_t resumed = 0;
  std::uint64_t bytes = 0;
  double decodeSeconds = 0;  ///< processor time
  std::vector<std::string> classes;
  std::vector<std::uint64_t> perClass;
  std::uint64_t unlabelled = 0;
  std::uint64_t pictures = 0;  ///< pictures whose size is known
  SideRange width;
  SideRange height;
  CountByName longerSide;   ///< by longerSideName
  CountByName decodeTimes;  ///< samples that were decoded, by decodeTimeName
  CountByName proportions;
  CountByName formats;
  CountByName channels;
  CountByName bits;
  CountByName orientations;
  /// Per channel, on the scale where white is 1: what the node `normalise` takes. Empty if there
  /// are no pictures.
  std::vector<double> mean;
  std::vector<double> deviation;
  std::vector<SlowSample> slowest;  ///< the slowest first
};

/// What is in a data set and what is wrong with it. Value.
struct DataReport {
  static constexpr std::size_t kSlowest = 100;

  std::string path;
  std::vector<SetReport> sets;            ///< training data first
  std::vector<ReportedFinding> findings;  ///< those that exist, in the order of Finding
  std::vector<std::string> notes;
  double seconds = 0;
  unsigned workers = 0;
  bool interrupted = false;
  std::string next;  ///< the suggested next command

  std::uint64_t samples() const;
  std::uint64_t examined() const;
  /// SetReport::partsOfFiles of the first set, whose samples a list of good ones names.
  bool hasParts() const { return !sets.empty() && sets.front().partsOfFiles; }
};

/// A sentence for a report without findings: what was looked for.
std::string withoutFindingsText(const DataReport& report);

ReportedSample reported(std::span<const ExaminedSet> sets, const FoundSample& found);

/// The figures of the sets, their findings with at most `names` samples each, and notes on classes.
DataReport makeDataReport(std::span<const ExaminedSet> sets, const FoundSamples& found,
                          std::size_t names);

}  // namespace millrace
