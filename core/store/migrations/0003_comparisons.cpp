// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0003Comparisons = R"sql(
CREATE TABLE comparisons(
  id INTEGER PRIMARY KEY,
  seed INTEGER NOT NULL,
  warmup_seconds REAL NOT NULL,
  seconds REAL NOT NULL,
  blocks INTEGER NOT NULL,
  more_blocks INTEGER NOT NULL,
  replaced_blocks INTEGER NOT NULL DEFAULT 0);

CREATE TABLE comparison_sides(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  comparison_id INTEGER NOT NULL REFERENCES comparisons(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  UNIQUE(comparison_id, position));
)sql";

}  // namespace millrace
