// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/store/run_store.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, 4> kTrialStates = {"waiting", "running", "finished",
                                                          "failed"};

std::optional<std::int64_t> rawRun(const TrialRecord& trial) {
  if (!trial.run) return std::nullopt;
  return static_cast<std::int64_t>(*trial.run);
}

TrialRecord trialFrom(const Statement& row) {
  TrialRecord trial;
  trial.position = row.integer(1);
  trial.settings = row.text(2);
  if (!row.isNull(3)) trial.run = RunNumber{row.integer(3)};
  const auto state = std::ranges::find(kTrialStates, row.text(4));
  if (state != kTrialStates.end())
    trial.state = static_cast<TrialState>(state - kTrialStates.begin());
  trial.reason = row.text(5);
  trial.value = row.maybeReal(6);
  return trial;
}

}  // namespace

std::string_view nameOf(TrialState state) { return kTrialStates[static_cast<std::size_t>(state)]; }

Status RunStore::beginTrials(std::string_view experiment, std::span<const TrialRecord> trials) {
  Transaction transaction(m_database);
  if (!transaction.begun().ok()) return transaction.begun();
  const auto id = experimentNamed(std::string(experiment), nowMs());
  if (!id.ok()) return id.error();
  bool taken = false;
  MILLRACE_TRY(m_database.query(
      "SELECT 1 FROM trials WHERE experiment_id = ? LIMIT 1",
      [&](const Statement&) { taken = true; }, *id));
  if (taken)
    return Error{
        fmt::format("experiment \"{}\" already has the trials of another search", experiment)};
  for (const TrialRecord& trial : trials)
    MILLRACE_TRY(m_database.run(
        "INSERT INTO trials(experiment_id, position, settings, run_id, state, reason, value) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)",
        *id, trial.position, trial.settings, rawRun(trial), nameOf(trial.state), trial.reason,
        trial.value));
  return transaction.commit();
}

Status RunStore::setTrial(std::string_view experiment, const TrialRecord& trial) {
  return m_database.run(
      "UPDATE trials SET run_id = ?, state = ?, reason = ?, value = ? WHERE position = ? AND "
      "experiment_id = (SELECT id FROM experiments WHERE name = ?)",
      rawRun(trial), nameOf(trial.state), trial.reason, trial.value, trial.position, experiment);
}

Result<std::vector<SearchSummary>> RunStore::searches() {
  std::vector<SearchSummary> all;
  MILLRACE_TRY(m_database.query(
      "SELECT experiments.name, position, settings, "
      "iif(run_id IN (SELECT run_id FROM deletions), NULL, run_id), state, reason, value "
      "FROM trials JOIN experiments ON experiments.id = experiment_id "
      "ORDER BY experiment_id DESC, position",
      [&](const Statement& row) {
        if (all.empty() || all.back().experiment != row.text(0)) all.push_back({row.text(0), {}});
        all.back().trials.push_back(trialFrom(row));
      }));
  return all;
}

}  // namespace millrace
