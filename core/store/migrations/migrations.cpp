// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/migrations/migrations.h"

#include <array>

#include <fmt/format.h>

#include "core/store/database.h"

namespace millrace {

namespace {

/// Marks that identify a store file.
struct Marks {
  std::int64_t application = 0;
  std::int64_t version = 0;
  std::int64_t tables = 0;
};

Status readMarksInto(Database& database, Marks& marks) {
  const auto into = [](std::int64_t& value) {
    return [&value](const Statement& row) { value = row.integer(0); };
  };
  MILLRACE_TRY(database.query("PRAGMA application_id", into(marks.application)));
  MILLRACE_TRY(database.query("PRAGMA user_version", into(marks.version)));
  return database.query("SELECT count(*) FROM sqlite_schema", into(marks.tables));
}

/// Reads all three consistently, because another program may be creating the store right now. Uses
/// a savepoint, which also works inside a transaction.
Result<Marks> readMarks(Database& database) {
  Marks marks;
  MILLRACE_TRY(database.run("SAVEPOINT marks"));
  const Status read = readMarksInto(database, marks);
  const Status released = database.run("RELEASE marks");
  if (!read.ok()) return read.error();
  if (!released.ok()) return released.error();
  return marks;
}

/// Runs statements one by one. A migration must contain no semicolon except at the end of a
/// statement.
Status runScript(Database& database, std::string_view script) {
  for (std::size_t end = script.find(';'); end != script.npos; end = script.find(';')) {
    MILLRACE_TRY(database.run(script.substr(0, end)));
    script.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

std::span<const char* const> migrations() {
  static const std::array kAll = {kMigration0001Runs,        kMigration0002PredictionsTrials,
                                  kMigration0003Comparisons, kMigration0004DeleteNames,
                                  kMigration0005SearchSteps, kMigration0006SlowestSamples};
  return kAll;
}

Result<std::size_t> storeVersion(Database& database) {
  const auto marks = readMarks(database);
  if (!marks.ok()) return marks.error();
  const bool empty = marks->application == 0 && marks->version == 0 && marks->tables == 0;
  if (empty) return std::size_t{0};
  const std::string file = database.file().string();
  if (marks->application != kStoreApplicationId || marks->version < 1)
    return Error{fmt::format(
        "{} is not a Millrace store: it is another program's database; choose another file with "
        "the setting `store`",
        file)};
  if (marks->version > static_cast<std::int64_t>(migrations().size()))
    return Error{fmt::format(
        "the store {} was written by a newer Millrace (store version {}, this one supports up to "
        "{}); use that version, or choose another file with the setting `store`",
        file, marks->version, migrations().size())};
  return static_cast<std::size_t>(marks->version);
}

Status migrate(Database& database, std::size_t to) {
  const auto seen = storeVersion(database);
  if (!seen.ok()) return seen.error();
  if (*seen >= to) return {};
  Transaction transaction(database);
  if (!transaction.begun().ok()) return transaction.begun();
  // Another program may have migrated the file while this one waited for the lock.
  const auto from = storeVersion(database);
  if (!from.ok()) return from.error();
  for (std::size_t version = *from; version < to; ++version)
    MILLRACE_TRY(runScript(database, migrations()[version]));
  if (*from < to) {
    MILLRACE_TRY(database.run(fmt::format("PRAGMA application_id = {}", kStoreApplicationId)));
    MILLRACE_TRY(database.run(fmt::format("PRAGMA user_version = {}", to)));
  }
  return transaction.commit();
}

}  // namespace millrace
