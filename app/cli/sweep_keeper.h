// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/search_keeper.h"
#include "core/tune/sweep_measurement.h"
#include "core/tune/sweep_plan.h"

namespace millrace::cli {

/// What is swept, for the store.
struct SweepSubject {
  const SweepPlan* plan = nullptr;
  const Graph* graph = nullptr;         ///< with absolute paths
  std::vector<SettingRecord> settings;  ///< of the pipeline as it is, defaults included
  std::string pipeline;                 ///< file or example as given
  RunLabels labels;                     ///< an empty experiment: one is named
  std::size_t blocks = 0;
  Facts facts;
};

/// A sweep that was stopped, as the store has it.
struct StoppedSweep {
  SearchSummary search;
  std::vector<PointState> points;
};

/// The newest sweep of just these points that was stopped, or that of `experiment`. The error says
/// that there is none, or why it cannot go on here.
Result<StoppedSweep> stoppedSweep(const std::filesystem::path& file, const SweepSubject& subject,
                                  const std::string& experiment);

/// Keeps a sweep: all its points are trials before the first, and the blocks are their repeats.
class SweepKeeper final : public SearchKeeper {
 public:
  /// The error: nothing can be kept, or (`experimentTaken`) the experiment has a sweep already.
  static Result<std::unique_ptr<SweepKeeper>> begin(const std::filesystem::path& file,
                                                    const SweepSubject& subject,
                                                    bool& experimentTaken);
  static Result<std::unique_ptr<SweepKeeper>> goOn(const std::filesystem::path& file,
                                                   const SweepSubject& subject,
                                                   const StoppedSweep& stopped);

 private:
  SweepKeeper(const std::filesystem::path& file, RunStore store, const SweepSubject& subject)
      : SearchKeeper(file, std::move(store), {subject.pipeline, subject.labels, subject.facts}),
        m_subject(subject) {}

  /// Goes on with a point's run, or ends it where only that is missing.
  Status takeUp(std::size_t point, const PointState& state);
  Result<TrialDocument> documentOf(std::size_t point) const override;

  const SweepSubject m_subject;
};

}  // namespace millrace::cli
