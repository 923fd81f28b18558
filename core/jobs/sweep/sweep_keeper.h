// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/jobs/search/search_keeper.h"
#include "core/tune/sweep/sweep_measurement.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace {

/// The subject of a sweep, for the store.
struct SweepSubject {
  SearchSubject search;                 ///< an empty experiment: a name is chosen
  const SweepPlan* plan = nullptr;      ///< plan and graph must outlive the keeper
  const Graph* graph = nullptr;         ///< with absolute paths
  std::vector<SettingRecord> settings;  ///< of the unmodified pipeline, including defaults
  std::size_t blocks = 0;
  std::string
      request;  ///< lineOf(SweepRequest); empty: it is continued with all its arguments only
};

/// A stopped sweep, as read from the store.
struct StoppedSweep {
  SearchSummary search;
  std::vector<PointState> points;
};

/// The newest stopped sweep of exactly these points, or that of `experiment`. The error says that
/// there is none, or why it cannot be continued here.
Result<StoppedSweep> stoppedSweep(const std::filesystem::path& file, const SweepSubject& subject,
                                  const std::string& experiment);

/// Keeps a sweep: all its points are trials from the beginning, and the blocks are their repeats.
class SweepKeeper final : public SearchKeeper {
 public:
  /// Error: nothing can be kept, or (`experimentTaken`) the experiment already has a sweep.
  static Result<std::unique_ptr<SweepKeeper>> begin(const std::filesystem::path& file,
                                                    const SweepSubject& subject,
                                                    bool& experimentTaken);
  static Result<std::unique_ptr<SweepKeeper>> goOn(const std::filesystem::path& file,
                                                   const SweepSubject& subject,
                                                   const StoppedSweep& stopped);

 private:
  SweepKeeper(const std::filesystem::path& file, RunStore store, const SweepSubject& subject)
      : SearchKeeper(file, std::move(store), subject.search), m_subject(subject) {}

  /// Continues a point's run, or ends it if only its end is missing.
  Status takeUp(std::size_t point, const PointState& state);
  Result<TrialDocument> documentOf(std::size_t point) const override;

  const SweepSubject m_subject;
};

}  // namespace millrace
