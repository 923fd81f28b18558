// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0001Runs = R"sql(
CREATE TABLE experiments(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  notes TEXT NOT NULL DEFAULT '',
  created_ms INTEGER NOT NULL,
  baseline_run INTEGER REFERENCES runs(id) ON DELETE SET NULL);

CREATE TABLE pipelines(
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL,
  json TEXT NOT NULL);
CREATE INDEX pipelines_by_digest ON pipelines(digest);

CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  experiment_id INTEGER NOT NULL REFERENCES experiments(id),
  pipeline_id INTEGER NOT NULL REFERENCES pipelines(id),
  pipeline_name TEXT NOT NULL,
  name TEXT NOT NULL,
  notes TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('running', 'finished', 'failed', 'interrupted')),
  reason TEXT NOT NULL DEFAULT '',
  started_ms INTEGER NOT NULL,
  finished_ms INTEGER,
  failed_samples INTEGER NOT NULL DEFAULT 0,
  boot_id TEXT NOT NULL,
  pid_namespace TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start INTEGER NOT NULL,
  heartbeat_ms INTEGER NOT NULL);
CREATE INDEX runs_by_experiment ON runs(experiment_id, id);

CREATE TABLE tags(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY(run_id, tag)) WITHOUT ROWID;

CREATE TABLE settings(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  node TEXT NOT NULL,
  param TEXT NOT NULL,
  type TEXT NOT NULL CHECK(type IN ('boolean', 'integer', 'real', 'text')),
  value NOT NULL,
  PRIMARY KEY(run_id, node, param)) WITHOUT ROWID;

CREATE TABLE environment(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(run_id, key)) WITHOUT ROWID;

CREATE TABLE run_figures(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  value REAL,
  PRIMARY KEY(run_id, metric)) WITHOUT ROWID;

CREATE TABLE failures(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  sample TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY(run_id, position)) WITHOUT ROWID;

CREATE TABLE repeats(
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0,
  UNIQUE(run_id, position));

CREATE TABLE repeat_figures(
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  value REAL,
  PRIMARY KEY(repeat_id, metric)) WITHOUT ROWID;

CREATE TABLE windows(
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  start_seconds REAL NOT NULL,
  seconds REAL NOT NULL,
  samples INTEGER NOT NULL,
  batches INTEGER NOT NULL,
  PRIMARY KEY(repeat_id, position)) WITHOUT ROWID;

CREATE TABLE node_figures(
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  node TEXT NOT NULL,
  kind TEXT NOT NULL,
  items INTEGER,
  bytes_in INTEGER,
  bytes_out INTEGER,
  busy_seconds REAL,
  cpu_seconds REAL,
  mean_ms REAL,
  fused_into TEXT,
  PRIMARY KEY(repeat_id, node)) WITHOUT ROWID;

CREATE TABLE queue_figures(
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  queue TEXT NOT NULL,
  from_stage TEXT NOT NULL,
  to_stage TEXT NOT NULL,
  unit TEXT NOT NULL,
  capacity INTEGER NOT NULL,
  mean_fill REAL,
  empty_share REAL,
  full_share REAL,
  PRIMARY KEY(repeat_id, queue)) WITHOUT ROWID;

CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  points BLOB NOT NULL,
  UNIQUE(repeat_id, metric, chunk));
)sql";

}  // namespace millrace
