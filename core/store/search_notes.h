// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/prediction_record.h"

namespace millrace {

/// What searches add to a store besides their runs: trials that come up as they go on, the way that
/// they took, and what changes were said to bring. A connection of its own beside a RunStore's; one
/// thread at a time.
class SearchNotes {
 public:
  static Result<SearchNotes> open(const std::filesystem::path& file,
                                  const Database::Options& options);
  static Result<SearchNotes> open(const std::filesystem::path& file) { return open(file, {}); }

  /// Writes down one more trial, behind those of RunStore::beginTrials. An error where one has its
  /// position already.
  Status addTrial(std::string_view experiment, const TrialRecord& trial);

  /// Appends to what a search wrote down of its own way, text that the search alone reads
  /// (core/tune/tune_log.h).
  Status addStep(std::string_view experiment, std::string_view content);
  /// In their order; none of a search that wrote nothing down.
  Result<std::vector<std::string>> steps(std::string_view experiment);

  Status addPrediction(const PredictionRecord& prediction);
  /// What was said of changes to that run is taken back.
  Status removePredictionsOf(RunNumber run);
  /// The newest first, without those of hidden runs.
  Result<std::vector<PredictionRecord>> predictions();
  /// In the order in which they were made.
  Result<std::vector<PredictionRecord>> predictionsOf(RunNumber run);

 private:
  explicit SearchNotes(Database database) : m_database(std::move(database)) {}

  Database m_database;
};

}  // namespace millrace
