// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0006SlowestSamples = R"sql(
CREATE TABLE slowest_samples(
  repeat_id INTEGER NOT NULL REFERENCES repeats(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  sample TEXT NOT NULL,
  times INTEGER NOT NULL,
  mean_ms REAL NOT NULL,
  bytes INTEGER NOT NULL,
  node TEXT NOT NULL,
  node_ms REAL NOT NULL,
  route TEXT NOT NULL,
  PRIMARY KEY(repeat_id, position)) WITHOUT ROWID;
)sql";

}  // namespace millrace
