// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/jobs/common/keep_settings.h"
#include "core/jobs/search/search_keeper.h"
#include "core/jobs/tune/kept_tuning.h"
#include "core/jobs/tune/tune_meaning.h"
#include "core/open/pipeline_request.h"

namespace millrace {

/// What a tuning searches and how it is kept, besides the pipeline.
struct TuneJobSettings {
  std::string pipeline;            ///< file or example as entered, for records
  TuneRequest request;             ///< kept with the tuning
  TuneMeaning meaning;             ///< of that request
  std::string taskset;             ///< the cores that this process was restricted to; empty: all
  KeepSettings keep;               ///< not used by a replay; an empty experiment: a name is chosen
  std::optional<KeptTuning> kept;  ///< the tuning to replay or continue
  bool replay = false;             ///< of `kept`: nothing is measured
};

/// What the parts of a tuning work on, which does not change while it searches. One thread.
struct TuneTask {
  TuneJobSettings settings;
  PreparedPipeline prepared;
  Graph graph;  ///< of `prepared`, with absolute paths
  Facts facts;  ///< in a replay, those of the kept tuning, because its space depends on them
  std::optional<int> coreLimit;  ///< for a replay: fewer cores than its trials had

  const TuneMeaning& meaning() const { return settings.meaning; }
  bool replays() const { return settings.replay; }
  /// Cores that trials may use.
  double usableCores() const;
};

/// A document in the form in which the store keeps it.
TrialDocument documentOf(const TuneTask& task, const Graph& graph);
/// The document of a setting that was tried.
Result<Graph> graphOf(const TuneTask& task, const std::vector<TuneAxis>& axes,
                      const std::vector<Advice>& edits, const TunePoint& point);

}  // namespace millrace
