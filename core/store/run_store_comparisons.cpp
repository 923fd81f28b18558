// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <fmt/format.h>

#include "core/store/run_store.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

constexpr std::string_view kColumns =
    "SELECT id, seed, warmup_seconds, seconds, blocks, more_blocks, replaced_blocks "
    "FROM comparisons ";

ComparisonRecord comparisonFrom(const Statement& row) {
  ComparisonRecord comparison;
  comparison.id = row.integer(0);
  comparison.seed = static_cast<std::uint64_t>(row.integer(1));
  comparison.warmupSeconds = row.real(2);
  comparison.seconds = row.real(3);
  comparison.blocks = row.integer(4);
  comparison.moreBlocks = row.integer(5);
  comparison.replacedBlocks = row.integer(6);
  return comparison;
}

}  // namespace

Result<std::int64_t> RunStore::beginComparison(const ComparisonRecord& comparison) {
  Transaction transaction(m_database);
  if (!transaction.begun().ok()) return transaction.begun().error();
  MILLRACE_TRY(m_database.run(
      "INSERT INTO comparisons(seed, warmup_seconds, seconds, blocks, more_blocks, "
      "replaced_blocks) VALUES(?, ?, ?, ?, ?, ?)",
      static_cast<std::int64_t>(comparison.seed), comparison.warmupSeconds, comparison.seconds,
      comparison.blocks, comparison.moreBlocks, comparison.replacedBlocks));
  const std::int64_t id = m_database.lastInsertedRow();
  std::int64_t position = 0;
  for (const RunNumber side : comparison.sides)
    MILLRACE_TRY(m_database.run(
        "INSERT INTO comparison_sides(run_id, comparison_id, position) VALUES(?, ?, ?)", raw(side),
        id, position++));
  MILLRACE_TRY(transaction.commit());
  return id;
}

Status RunStore::setReplacedBlocks(std::int64_t comparison, std::int64_t replaced) {
  return m_database.run("UPDATE comparisons SET replaced_blocks = ? WHERE id = ?", replaced,
                        comparison);
}

Status RunStore::readSides(ComparisonRecord& comparison) {
  return m_database.query(
      "SELECT run_id FROM comparison_sides WHERE comparison_id = ? AND "
      "run_id NOT IN (SELECT run_id FROM deletions) ORDER BY position",
      [&](const Statement& row) { comparison.sides.push_back(RunNumber{row.integer(0)}); },
      comparison.id);
}

Result<std::optional<ComparisonRecord>> RunStore::comparisonOf(RunNumber run) {
  std::optional<ComparisonRecord> found;
  MILLRACE_TRY(m_database.query(
      std::string(kColumns) +
          "WHERE id = (SELECT comparison_id FROM comparison_sides WHERE run_id = ?)",
      [&](const Statement& row) { found = comparisonFrom(row); }, raw(run)));
  if (found) MILLRACE_TRY(readSides(*found));
  return found;
}

Result<std::vector<ComparisonRecord>> RunStore::comparisons(std::int64_t limit) {
  std::vector<ComparisonRecord> all;
  MILLRACE_TRY(m_database.query(
      std::string(kColumns) + "ORDER BY id DESC LIMIT ?",
      [&](const Statement& row) { all.push_back(comparisonFrom(row)); }, limit));
  for (ComparisonRecord& comparison : all) MILLRACE_TRY(readSides(comparison));
  return all;
}

Status RunStore::resumeRun(RunNumber run, std::int64_t repeats) {
  MILLRACE_ASSIGN_OR_RETURN(const auto details, show(run));
  if (details.summary.state != RunState::Interrupted)
    return Error{fmt::format("run {} is {}: only an interrupted run can be continued", raw(run),
                             nameOf(details.summary.state))};
  const std::int64_t now = nowMs();
  Transaction transaction(m_database);
  if (!transaction.begun().ok()) return transaction.begun();
  MILLRACE_TRY(
      m_database.run("DELETE FROM repeats WHERE run_id = ? AND position >= ?", raw(run), repeats));
  MILLRACE_TRY(m_database.run(
      "UPDATE runs SET state = 'running', reason = '', finished_ms = NULL, boot_id = ?, "
      "pid_namespace = ?, pid = ?, pid_start = ?, heartbeat_ms = ? WHERE id = ?",
      m_self.bootId, m_self.pidNamespace, m_self.pid, m_self.startTicks,
      static_cast<std::int64_t>(now), raw(run)));
  return transaction.commit();
}

}  // namespace millrace
