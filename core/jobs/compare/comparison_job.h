// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/compare/comparison_keeper.h"
#include "core/jobs/compare/comparison_sides.h"
#include "core/own_loader/loader_run.h"
#include "core/run/failure_budget.h"
#include "core/tune/block_measurement.h"
#include "core/tune/comparison_outcome.h"

namespace millrace {

/// How two sides, pipelines or users' own loaders, are compared. Value.
struct ComparisonSettings {
  std::optional<std::size_t> blocks;  ///< 5, and 5 more if they do not decide
  std::optional<double> seconds;      ///< length of each measurement; 5
  std::optional<double> warmup;       ///< seconds before each measurement, not counted; 2
  std::optional<std::uint64_t> seed;  ///< of the order within blocks; random
  bool noRandom = false;              ///< how the sides were prepared
  bool fuse = true;                   ///< how the sides were prepared
  FailureLimit failureLimit;
  bool replaceDisturbed = true;  ///< measures disturbed blocks again
  KeepSettings keep;
  bool resume = false;  ///< continue the last stopped comparison of these two; needs `keep`
};

/// Is notified of a comparison: of blocks, of the repeats of both sides (a BlockStep precedes
/// each), and of what goes wrong. Called on the thread of `run` and, as MeasuredRun does, on its
/// sampling thread.
class ComparisonObserver : public RunObserver, public BlockObserver, public JobObserver {
 public:
  /// Both sides are in the store, if they are kept, and are measured next.
  virtual void onBegin() {}
};

/// A comparison of two pipelines or users' own loaders: measured together in interleaved blocks,
/// kept in the store while it goes on, and judged. `run` once, on one thread; `stop` from any
/// thread, at any time.
class ComparisonJob final : private BlockObserver {
 public:
  /// The observer must outlive the job.
  ComparisonJob(ComparisonSides sides, ComparisonSettings settings, ComparisonObserver& observer);
  ~ComparisonJob() override;
  ComparisonJob(const ComparisonJob&) = delete;
  ComparisonJob& operator=(const ComparisonJob&) = delete;

  /// Blocks until enough blocks are measured. An error if it could not begin, for example because
  /// there is no stopped comparison to resume; one that fails or is stopped later is an outcome
  /// and, if it is kept, can be resumed.
  Result<ComparisonOutcome> run();
  /// Ends it after the batches in progress; complete blocks count. Also before `run`.
  void stop();

 private:
  class FailureNotes;

  void onStep(const BlockStep& step) override;
  void onBlock(std::size_t index, const MeasuredBlock& block) override;
  void onReplaced(const MeasuredBlock& block) override;

  BlockRule rule() const;
  BlockSettings blockSettings() const;
  MeasureSettings measureSettings() const;
  /// Sets the facts about how it is measured again, for a stopped comparison.
  void setMeasureFacts();
  Status goOn(MeasuredBlocks& begun);
  void keep(Result<std::unique_ptr<ComparisonKeeper>> keeper);
  std::vector<std::string> tellDifferences();
  void noteLoader(std::size_t side, const LoaderFacts& facts);
  BlockResult measure(MeasuredBlocks begun);
  ComparisonOutcome finish(ComparisonOutcome outcome);

  ComparisonSides m_sides;
  const ComparisonSettings m_settings;
  ComparisonObserver& m_observer;
  ComparisonRecord m_record;
  std::vector<std::unique_ptr<FailureNotes>> m_failures;  ///< one for each side
  std::unique_ptr<ComparisonKeeper> m_keeper;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  BlockMeasurement* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
