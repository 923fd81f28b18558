// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0004DeleteNames = R"sql(
CREATE TABLE deletions(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  deleted_ms INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  pid_namespace TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start INTEGER NOT NULL);

CREATE TABLE setting_names(
  node TEXT NOT NULL,
  param TEXT NOT NULL,
  type TEXT NOT NULL,
  PRIMARY KEY(node, param, type)) WITHOUT ROWID;
INSERT INTO setting_names SELECT DISTINCT node, param, type FROM settings;

CREATE INDEX runs_running ON runs(id) WHERE state = 'running';
CREATE INDEX runs_by_pipeline ON runs(pipeline_id);
)sql";

}  // namespace millrace
