// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/jobs/common/job_observer.h"
#include "core/jobs/compare/block_recorder.h"
#include "core/jobs/compare/comparison_sides.h"
#include "core/store/run_store.h"
#include "core/tune/block_measurement.h"

namespace millrace {

/// A stopped comparison, as read from the store.
struct StoppedComparison {
  ComparisonRecord record;
  MeasuredBlocks measured;
};

/// The newest stopped comparison of exactly these pipelines. The error says that there is none, or
/// why it cannot be continued here.
Result<StoppedComparison> stoppedComparison(const std::filesystem::path& file,
                                            const ComparisonSides& sides);

/// Keeps a comparison in the store while it goes on: a run for each side, with its blocks as
/// repeats. The comparison goes on if the store fails.
class ComparisonKeeper {
 public:
  /// Begins both runs. Error: nothing can be kept.
  static Result<std::unique_ptr<ComparisonKeeper>> begin(const std::filesystem::path& file,
                                                         const RunLabels& labels,
                                                         const ComparisonSides& sides,
                                                         ComparisonRecord record);
  /// Continues a stopped comparison.
  static Result<std::unique_ptr<ComparisonKeeper>> goOn(const std::filesystem::path& file,
                                                        const ComparisonSides& sides,
                                                        const StoppedComparison& stopped);

  RunObserver& observer(std::size_t side) { return *m_sides[side].blocks; }
  /// "12".
  std::string runId(std::size_t side) const;
  /// What became known of a side while it was measured.
  void addFacts(std::size_t side, const Facts& facts);
  void keepBlock(std::size_t index);
  /// A disturbed block does not count. The error: this could not be noted.
  Status replaceBlock();
  /// Ends both runs; waits until everything is in the file. The observer hears what is missing.
  void finish(const std::vector<RunResult>& results, JobObserver& observer);

 private:
  struct Side {
    std::unique_ptr<StoreRecorder> recorder;
    std::unique_ptr<BlockRecorder> blocks;
  };
  ComparisonKeeper(RunStore store, ComparisonRecord record, std::vector<Side> sides)
      : m_store(std::move(store)), m_record(std::move(record)), m_sides(std::move(sides)) {}

  RunStore m_store;
  ComparisonRecord m_record;
  std::vector<Side> m_sides;
};

}  // namespace millrace
