// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/inspect/report/data_report.h"
#include "core/inspect/report/data_sets.h"

namespace millrace {

/// How far a report is.
struct ReportProgress {
  std::string set;         ///< being examined
  std::uint64_t done = 0;  ///< samples of all sets, with those of an earlier report
  std::uint64_t of = 0;
};

/// A sample that can be used.
struct CleanSample {
  std::string name;
  std::string file;    ///< ExaminedSet::fileOf
  std::string target;  ///< of pairs: absolute path of the second file
  std::string label;   ///< name of the class
};

/// Receives the progress of a DataReportJob, on the thread that runs the job.
class DataReportObserver {
 public:
  virtual ~DataReportObserver() = default;
  /// The sources are open; reading begins.
  virtual void onStart() {}
  /// Several times a second.
  virtual void onProgress(const ReportProgress& /*progress*/) {}
};

/// Looks at every sample of a data set once, on all cores, and reports what is wrong with it and
/// which figures it has. What it has examined is kept in a folder of states: a job that was stopped
/// or killed is continued by the next one on the same data, and a finished one is not repeated. One
/// thread.
class DataReportJob {
 public:
  struct Options {
    std::filesystem::path path;                    ///< absolute; must exist
    std::optional<std::filesystem::path> against;  ///< another data set to compare with; absolute
    unsigned workers = 0;                          ///< 0: one for each core
    std::size_t names = 20;                        ///< samples that the report names per finding
    bool restart = false;                          ///< discard what is kept
    /// Where states are kept; empty: they are not.
    std::filesystem::path states = defaultStates();
    std::chrono::milliseconds patience = std::chrono::seconds(120);  ///< for one sample
  };
  explicit DataReportJob(Options options) : m_options(std::move(options)) {}

  /// A folder in the user's cache.
  static std::filesystem::path defaultStates();

  /// Blocks until every sample was examined, or until `stop`: then `interrupted` is set and the
  /// report contains what was examined so far. The error says why there is no data to examine.
  Result<DataReport> run(DataReportObserver& observer);
  /// Any thread.
  void stop() { m_stop = true; }

  /// After `run`: all samples with the finding, in the order of sets and samples.
  void list(Finding finding, const std::function<void(const ReportedSample& sample)>& use) const;
  /// After `run`: the samples of the first set without a finding of isLeftOut().
  void listClean(const std::function<void(const CleanSample& sample)>& use) const;

 private:
  Status openSets();
  Status openSet(const DataSet& set);
  void examine(ExaminedSet& set, ReportProgress& progress, DataReportObserver& observer);
  unsigned workers() const;

  const Options m_options;
  std::atomic<bool> m_stop = false;
  std::vector<ExaminedSet> m_sets;
  FoundSamples m_found;
  std::vector<std::string> m_notes;
};

}  // namespace millrace
