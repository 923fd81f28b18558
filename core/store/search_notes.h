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

/// What searches add to a store besides runs: trials that come up later, the log of the search, and
/// predictions. Has its own connection, separate from a RunStore's; one thread at a time.
class SearchNotes {
 public:
  static Result<SearchNotes> open(const std::filesystem::path& file,
                                  const Database::Options& options);
  static Result<SearchNotes> open(const std::filesystem::path& file) { return open(file, {}); }

  /// Adds one more trial after those of RunStore::beginTrials. An error if its position is taken.
  Status addTrial(std::string_view experiment, const TrialRecord& trial);

  /// Appends to the log of a search. Only the search interprets the text
  /// (core/tune/tuner/tune_log.h).
  Status addStep(std::string_view experiment, std::string_view content);
  /// In order; empty for a search without a log.
  Result<std::vector<std::string>> steps(std::string_view experiment);

  Status addPrediction(const PredictionRecord& prediction);
  /// Removes all predictions for that run.
  Status removePredictionsOf(RunNumber run);
  /// Newest first, without those of hidden runs.
  Result<std::vector<PredictionRecord>> predictions();
  /// In the order in which they were made.
  Result<std::vector<PredictionRecord>> predictionsOf(RunNumber run);

 private:
  explicit SearchNotes(Database database) : m_database(std::move(database)) {}

  Database m_database;
};

}  // namespace millrace
