// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"

namespace millrace {

class Database;

/// PRAGMA application_id of a store: "Mill" in ASCII.
inline constexpr int kStoreApplicationId = 0x4d696c6c;

/// The SQL of every schema version in order: entry k migrates from version k to k + 1. A released
/// entry is never edited; changes are new entries.
std::span<const char* const> migrations();

/// Migrates a Millrace store, or an empty file, to version `to` in one transaction; safe if two
/// programs do it at once. An error if the file is not a Millrace store or is newer.
Status migrate(Database& database, std::size_t to);

/// The version of the store, 0 for an empty file; an error if the file is not a Millrace store or
/// is newer than this program. Only reads.
Result<std::size_t> storeVersion(Database& database);

extern const char* const kMigration0001Runs;
extern const char* const kMigration0002PredictionsTrials;
extern const char* const kMigration0003Comparisons;
extern const char* const kMigration0004DeleteNames;
extern const char* const kMigration0005SearchSteps;
extern const char* const kMigration0006SlowestSamples;

}  // namespace millrace
