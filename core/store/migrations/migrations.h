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

/// The SQL of every schema version in order: entry k leads from version k to k + 1. An entry that
/// was released is never edited; a change is a new entry.
std::span<const char* const> migrations();

/// Brings a store that is ours, or an empty file, to version `to`, in one transaction; safe when
/// two programs do it at once. An error for a file that is not ours or is newer.
Status migrate(Database& database, std::size_t to);

/// Error when the file is not a Millrace store, or newer than this program; else its version, 0
/// for an empty file. Reads only.
Result<std::size_t> storeVersion(Database& database);

extern const char* const kMigration0001Runs;
extern const char* const kMigration0002PredictionsTrials;
extern const char* const kMigration0003Comparisons;
extern const char* const kMigration0004DeleteNames;
extern const char* const kMigration0005SearchSteps;

}  // namespace millrace
