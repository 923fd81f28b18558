// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0002PredictionsTrials = R"sql(
CREATE TABLE predictions(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  made_ms INTEGER NOT NULL,
  edit TEXT NOT NULL,
  metric TEXT NOT NULL,
  low REAL,
  middle REAL NOT NULL,
  high REAL,
  followed_by_run INTEGER REFERENCES runs(id) ON DELETE SET NULL,
  followed_value REAL);
CREATE INDEX predictions_by_run ON predictions(run_id);
CREATE INDEX predictions_by_follower ON predictions(followed_by_run);

CREATE TABLE trials(
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  settings TEXT NOT NULL,
  run_id INTEGER REFERENCES runs(id) ON DELETE SET NULL,
  state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'finished', 'failed')),
  reason TEXT NOT NULL DEFAULT '',
  value REAL,
  PRIMARY KEY(experiment_id, position)) WITHOUT ROWID;
CREATE INDEX trials_by_run ON trials(run_id);
CREATE INDEX experiments_by_baseline ON experiments(baseline_run);
)sql";

}  // namespace millrace
