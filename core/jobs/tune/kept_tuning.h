// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/measure/data_facts.h"
#include "core/measure/store_recorder.h"
#include "core/store/run_record.h"
#include "core/tune/tuner/tune_replay.h"

namespace millrace {

/// A setting that a kept tuning tried, from its run.
struct KeptSetting {
  std::string document;     ///< empty: its run was deleted or never begun
  std::size_t repeats = 0;  ///< valid ones
  bool open = false;        ///< its run can be continued
};

/// A tuning, as far as the store has it.
struct KeptTuning {
  SearchSummary search;
  TuneLog log;
  std::string pipeline;               ///< file or example as entered
  RunLabels labels;                   ///< labels of its runs
  Facts facts;                        ///< facts of the unmodified pipeline's run
  std::vector<KeptSetting> settings;  ///< by trial; the first is the unmodified pipeline
  std::vector<KeptTrial> trials;      ///< in the order of measurement
  std::string writtenNow;             ///< a sentence if it is currently being written, else empty

  const std::string& experiment() const { return search.experiment; }
};

/// The tuning of that experiment; the error lists the existing ones.
Result<KeptTuning> keptTuning(const std::filesystem::path& file, const std::string& experiment);

/// The newest stopped tuning, of this document unless that is empty; or that of `experiment`. The
/// error says that there is none, or why it cannot be continued.
Result<KeptTuning> stoppedTuning(const std::filesystem::path& file, const std::string& experiment,
                                 const std::string& document);

}  // namespace millrace
