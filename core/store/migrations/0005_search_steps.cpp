// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

namespace millrace {

const char* const kMigration0005SearchSteps = R"sql(
CREATE TABLE search_steps(
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY(experiment_id, position)) WITHOUT ROWID;
)sql";

}  // namespace millrace
