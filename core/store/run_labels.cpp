// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Labels that users give to runs, and deleting.
#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/store/in_transaction.h"
#include "core/store/run_store.h"
#include "core/store/stored_values.h"
#include "core/store/trace_folder.h"

namespace millrace {

namespace {

/// A trace that is not in the store's folder for traces is the user's.
void removeOwnTrace(const std::filesystem::path& trace, const std::filesystem::path& store) {
  std::error_code error;
  if (trace.empty() || !std::filesystem::is_regular_file(trace, error)) return;
  const auto own = traceFolder(std::filesystem::absolute(store, error));
  if (!std::filesystem::equivalent(trace.parent_path(), own, error) || error) return;
  std::filesystem::remove(trace, error);
  std::filesystem::remove(own, error);  // Only if it is empty.
}

}  // namespace

Status RunStore::demandRun(RunNumber run) {
  bool found = false;
  MILLRACE_TRY(m_database.query(
      "SELECT 1 FROM runs WHERE id = ? AND id NOT IN (SELECT run_id FROM deletions)",
      [&](const Statement&) { found = true; }, raw(run)));
  if (found) return {};
  return Error{
      fmt::format("no run {} in {}; `millrace runs list` shows all", raw(run), file().string())};
}

Status RunStore::changeTags(RunNumber run, std::span<const std::string> add,
                            std::span<const std::string> remove) {
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(demandRun(run));
    for (const std::string& tag : remove)
      MILLRACE_TRY(m_database.run("DELETE FROM tags WHERE run_id = ? AND tag = ?", raw(run), tag));
    for (const std::string& tag : add)
      MILLRACE_TRY(
          m_database.run("INSERT OR IGNORE INTO tags(run_id, tag) VALUES(?, ?)", raw(run), tag));
    return {};
  });
}

Status RunStore::setName(RunNumber run, std::string_view name) {
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(demandRun(run));
    return m_database.run("UPDATE runs SET name = ? WHERE id = ?", name, raw(run));
  });
}

Status RunStore::setNotes(RunNumber run, std::string_view notes) {
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(demandRun(run));
    return m_database.run("UPDATE runs SET notes = ? WHERE id = ?", notes, raw(run));
  });
}

Status RunStore::setBaseline(RunNumber run) {
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(demandRun(run));
    return m_database.run(
        "UPDATE experiments SET baseline_run = ?1 WHERE id = "
        "(SELECT experiment_id FROM runs WHERE id = ?1)",
        raw(run));
  });
}

Status RunStore::clearBaseline(std::string_view experiment) {
  std::vector<std::string> names;
  MILLRACE_TRY(m_database.query("SELECT name FROM experiments ORDER BY name",
                                [&](const Statement& row) { names.push_back(row.text(0)); }));
  if (std::ranges::find(names, experiment) == names.end())
    return Error{fmt::format("no experiment \"{}\" in {}; there {} {}", validUtf8(experiment),
                             file().string(), names.size() == 1 ? "is" : "are",
                             names.empty() ? "none" : joinWords(names))};
  return m_database.run("UPDATE experiments SET baseline_run = NULL WHERE name = ?", experiment);
}

Result<std::optional<std::int64_t>> RunStore::writtenNow(std::span<const RunNumber> runs) {
  for (const RunNumber run : runs) {
    const auto summary = summaryOfRun(raw(run));
    if (!summary.ok() && !m_database.lastWasDamage()) return summary.error();
    if (summary.ok() && *summary && (*summary)->state == RunState::Running)
      return std::optional(raw(run));
  }
  return std::optional<std::int64_t>();
}

Status RunStore::hide(std::span<const RunNumber> runs) {
  return inTransaction(m_database, [&]() -> Status {
    const auto running = writtenNow(runs);
    if (!running.ok()) return running.error();
    if (*running)
      return Error{fmt::format("run {} is still being written; stop it first", **running)};
    // One time for all: it identifies the runs that were deleted together.
    const std::int64_t now = nowMs();
    for (const RunNumber run : runs)
      MILLRACE_TRY(m_database.run(
          "INSERT OR IGNORE INTO deletions(run_id, deleted_ms, boot_id, pid_namespace, pid, "
          "pid_start) SELECT id, ?, ?, ?, ?, ? FROM runs WHERE id = ?",
          now, m_self.bootId, m_self.pidNamespace, m_self.pid, m_self.startTicks, raw(run)));
    return {};
  });
}

Status RunStore::restore(std::span<const RunNumber> runs) {
  return inTransaction(m_database, [&]() -> Status {
    for (const RunNumber run : runs) {
      bool there = false;
      MILLRACE_TRY(m_database.query(
          "SELECT 1 FROM runs WHERE id = ?", [&](const Statement&) { there = true; }, raw(run)));
      if (!there)
        return Error{fmt::format("run {} cannot be restored: it was removed from {}", raw(run),
                                 file().string())};
      MILLRACE_TRY(m_database.run("DELETE FROM deletions WHERE run_id = ?", raw(run)));
    }
    return {};
  });
}

Result<std::vector<HiddenRun>> RunStore::hidden() {
  std::vector<HiddenRun> runs;
  MILLRACE_TRY(m_database.query(
      "SELECT runs.id, uid, deleted_ms, iif(name = '', pipeline_name, name) FROM deletions "
      "JOIN runs ON runs.id = run_id ORDER BY deleted_ms DESC, runs.id",
      [&](const Statement& row) {
        runs.push_back({RunNumber{row.integer(0)}, row.text(1),
                        WallTime{std::chrono::milliseconds(row.integer(2))}, row.text(3)});
      }));
  return runs;
}

Status RunStore::removeRuns(const std::vector<std::int64_t>& runs) {
  // One transaction for each run, so that other writers are not blocked for long.
  for (const std::int64_t run : runs) {
    std::filesystem::path trace;
    MILLRACE_TRY(m_database.query(
        "SELECT value FROM environment WHERE run_id = ? AND key = ?",
        [&](const Statement& row) { trace = row.text(0); }, run, std::string(kTraceFileFact)));
    MILLRACE_TRY(m_database.run("DELETE FROM runs WHERE id = ?", run));
    removeOwnTrace(trace, file());
  }
  return {};
}

Result<std::int64_t> RunStore::removeExpired() {
  std::vector<std::int64_t> expired;
  MILLRACE_TRY(m_database.query(
      "SELECT run_id FROM deletions WHERE deleted_ms < ?",
      [&](const Statement& row) { expired.push_back(row.integer(0)); },
      (wallNow() - kHiddenAreKept).time_since_epoch().count()));
  MILLRACE_TRY(removeRuns(expired));
  return static_cast<std::int64_t>(expired.size());
}

Result<std::int64_t> RunStore::removeHidden() {
  std::vector<std::int64_t> ours;
  MILLRACE_TRY(m_database.query(
      "SELECT run_id, boot_id, pid_namespace, pid, pid_start, deleted_ms FROM deletions",
      [&](const Statement& row) {
        const WriterId hider{row.text(1), row.text(2), row.integer(3), row.integer(4)};
        const WallTime at{std::chrono::milliseconds(row.integer(5))};
        // A program on another machine sends no heartbeat while it hides runs; wait for a day.
        constexpr std::chrono::hours kElsewhere{24};
        const bool here =
            hider.bootId == m_self.bootId && hider.pidNamespace == m_self.pidNamespace;
        const bool alive =
            here ? isAlive(hider, at, m_self, wallNow()) : wallNow() - at < kElsewhere;
        if (hider == m_self || !alive) ours.push_back(row.integer(0));
      }));
  MILLRACE_TRY(removeRuns(ours));
  return static_cast<std::int64_t>(ours.size());
}

Result<std::int64_t> RunStore::removeLeftovers() {
  constexpr std::array kStatements = {
      "DELETE FROM pipelines WHERE id NOT IN (SELECT pipeline_id FROM runs)",
      "DELETE FROM experiments WHERE id NOT IN (SELECT experiment_id FROM runs) AND notes = '' AND "
      "id NOT IN (SELECT experiment_id FROM trials)",
      "DELETE FROM setting_names",
      "INSERT INTO setting_names SELECT DISTINCT node, param, type FROM settings"};
  const auto removed = removeHidden();
  if (!removed.ok()) return removed.error();
  MILLRACE_TRY(inTransaction(m_database, [&]() -> Status {
    for (const char* statement : kStatements) MILLRACE_TRY(m_database.run(statement));
    return {};
  }));
  return *removed;
}

Result<RunStore::Tidied> RunStore::tidy() {
  std::vector<RunNumber> running;
  MILLRACE_TRY(m_database.query(
      "SELECT id FROM runs WHERE state = 'running'",
      [&](const Statement& row) { running.push_back(RunNumber{row.integer(0)}); }));
  const auto written = writtenNow(running);
  if (!written.ok()) return written.error();
  if (*written)
    return Error{fmt::format("run {} is being written to {}; tidy it after the run has ended",
                             **written, file().string())};
  const auto before = m_database.bytes();
  if (!before.ok()) return before.error();
  const auto removed = removeLeftovers();
  if (!removed.ok()) return removed.error();
  MILLRACE_TRY(m_database.run("VACUUM"));
  MILLRACE_TRY(m_database.run("PRAGMA optimize"));
  // Until the checkpoint, the log contains the whole new file.
  MILLRACE_TRY(m_database.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  const auto after = m_database.bytes();
  if (!after.ok()) return after.error();
  return Tidied{*removed, *before, *after};
}

}  // namespace millrace
