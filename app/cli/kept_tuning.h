// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/run/data_facts.h"
#include "core/run/store_recorder.h"
#include "core/store/run_record.h"
#include "core/tune/tune_replay.h"

namespace millrace::cli {

/// A setting that a kept tuning tried, as its run has it.
struct KeptSetting {
  std::string document;     ///< empty: its run was deleted, or never begun
  std::size_t repeats = 0;  ///< that count
  bool open = false;        ///< its run can be gone on with
};

/// A tuning as the store has it, as far as it went.
struct KeptTuning {
  SearchSummary search;
  TuneLog log;
  std::string pipeline;               ///< file or example as it was given
  RunLabels labels;                   ///< of its runs
  Facts facts;                        ///< of the run of the pipeline as it is
  std::vector<KeptSetting> settings;  ///< by trial; the first is the pipeline as it is
  std::vector<KeptTrial> trials;      ///< in the order of measuring
  std::string writtenNow;             ///< a sentence; empty: nobody writes it

  const std::string& experiment() const { return search.experiment; }
};

/// The tuning of that experiment; the error lists those that there are.
Result<KeptTuning> keptTuning(const std::filesystem::path& file, const std::string& experiment);

/// The newest tuning that was stopped, of this document unless that is empty; or that of
/// `experiment`. The error says that there is none, or why it cannot go on.
Result<KeptTuning> stoppedTuning(const std::filesystem::path& file, const std::string& experiment,
                                 const std::string& document);

}  // namespace millrace::cli
