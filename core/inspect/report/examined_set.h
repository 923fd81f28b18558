// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/formats/io/spilled_list.h"
#include "core/inspect/report/sample_record.h"
#include "core/spec/source.h"

namespace millrace {

/// One of the sets of a report, such as `train`, and what was found in its samples.
struct ExaminedSet {
  /// Reasons that are kept of a set: the memory must not grow with its damage.
  static constexpr std::size_t kMostReasons = 10000;

  std::string name;  ///< of its folder
  std::string path;
  std::string kind;  ///< nameOf(FolderContent)
  std::string node;  ///< id of the source in the pipeline that is proposed for the set
  std::shared_ptr<const Source> source;
  std::vector<std::string> classes;  ///< of the source
  /// By index. A record that says nothing yet consists of zeros.
  SpilledList<SampleRecord> records;
  ChannelSums sums;
  std::map<std::uint32_t, std::string> reasons;
  std::uint32_t examined = 0;  ///< number of records that say something
  std::uint32_t resumed = 0;   ///< number of them from an earlier report

  /// Samples that were examined before are not counted twice.
  void take(const ExaminedBlock& block);
  /// The numbers of the sample's classes, if they are known.
  std::vector<std::int64_t> labelsOf(std::uint32_t index, const SampleRecord& record) const;
  /// Their names, joined; empty if the sample has none.
  std::string classOf(std::uint32_t index) const;
  std::string classOf(std::uint32_t index, const SampleRecord& record) const;
  std::string reasonOf(std::uint32_t index) const;
  /// Absolute path of the file that holds the sample, if it holds nothing else; otherwise empty.
  std::string fileOf(std::uint32_t index) const;
  /// Whether samples are parts of files, such as records, which no path names.
  bool isOfParts() const;
};

}  // namespace millrace
