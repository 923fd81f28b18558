// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/search_notes.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

PredictionRecord predictionFrom(const Statement& row) {
  PredictionRecord prediction;
  prediction.run = RunNumber{row.integer(0)};
  prediction.made = WallTime(std::chrono::milliseconds(row.integer(1)));
  prediction.edit = row.text(2);
  prediction.metric = row.text(3);
  prediction.low = row.maybeReal(4);
  prediction.middle = row.real(5);
  prediction.high = row.maybeReal(6);
  if (!row.isNull(7)) prediction.followedBy = RunNumber{row.integer(7)};
  prediction.followedValue = row.maybeReal(8);
  prediction.without = row.maybeReal(9);
  return prediction;
}

constexpr const char* kSelect =
    "SELECT predictions.run_id, made_ms, edit, metric, low, middle, high, "
    "iif(followed_by_run IN (SELECT run_id FROM deletions), NULL, followed_by_run), "
    "followed_value, (SELECT value FROM run_figures WHERE run_figures.run_id = predictions.run_id "
    "AND run_figures.metric = predictions.metric) "
    "FROM predictions WHERE predictions.run_id NOT IN (SELECT run_id FROM deletions)";

}  // namespace

Result<SearchNotes> SearchNotes::open(const std::filesystem::path& file,
                                      const Database::Options& options) {
  MILLRACE_ASSIGN_OR_RETURN(auto database, Database::open(file, options));
  return SearchNotes(std::move(database));
}

Status SearchNotes::addTrial(std::string_view experiment, const TrialRecord& trial) {
  std::optional<std::int64_t> run;
  if (trial.run) run = static_cast<std::int64_t>(*trial.run);
  return m_database.run(
      "INSERT INTO trials(experiment_id, position, settings, run_id, state, reason, value) "
      "SELECT id, ?, ?, ?, ?, ?, ? FROM experiments WHERE name = ?",
      trial.position, trial.settings, run, nameOf(trial.state), trial.reason, trial.value,
      experiment);
}

Status SearchNotes::addStep(std::string_view experiment, std::string_view content) {
  return m_database.run(
      "INSERT INTO search_steps(experiment_id, position, content) "
      "SELECT id, (SELECT count(*) FROM search_steps WHERE experiment_id = experiments.id), ? "
      "FROM experiments WHERE name = ?",
      content, experiment);
}

Result<std::vector<std::string>> SearchNotes::steps(std::string_view experiment) {
  std::vector<std::string> all;
  MILLRACE_TRY(m_database.query(
      "SELECT content FROM search_steps WHERE experiment_id = (SELECT id FROM experiments WHERE "
      "name = ?) ORDER BY position",
      [&](const Statement& row) { all.push_back(row.text(0)); }, experiment));
  return all;
}

Status SearchNotes::addPrediction(const PredictionRecord& prediction) {
  std::optional<std::int64_t> followed;
  if (prediction.followedBy) followed = static_cast<std::int64_t>(*prediction.followedBy);
  return m_database.run(
      "INSERT INTO predictions(run_id, made_ms, edit, metric, low, middle, high, followed_by_run, "
      "followed_value) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      static_cast<std::int64_t>(prediction.run), nowMs(), prediction.edit, prediction.metric,
      prediction.low, prediction.middle, prediction.high, followed, prediction.followedValue);
}

Status SearchNotes::removePredictionsOf(RunNumber run) {
  return m_database.run("DELETE FROM predictions WHERE run_id = ?", static_cast<std::int64_t>(run));
}

Result<std::vector<PredictionRecord>> SearchNotes::predictions() {
  std::vector<PredictionRecord> all;
  MILLRACE_TRY(m_database.query(std::string(kSelect) + " ORDER BY predictions.id DESC",
                                [&](const Statement& row) { all.push_back(predictionFrom(row)); }));
  return all;
}

Result<std::vector<PredictionRecord>> SearchNotes::predictionsOf(RunNumber run) {
  std::vector<PredictionRecord> all;
  MILLRACE_TRY(m_database.query(
      std::string(kSelect) + " AND predictions.run_id = ? ORDER BY predictions.id",
      [&](const Statement& row) { all.push_back(predictionFrom(row)); },
      static_cast<std::int64_t>(run)));
  return all;
}

}  // namespace millrace
