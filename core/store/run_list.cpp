// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Listing runs. A list is made in two steps: first the numbers of all matching runs in order, then
// the lines to show one by one, so that a damaged page only affects its own runs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/store/run_store.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, 4> kRunStates = {"running", "finished", "failed",
                                                        "interrupted"};

RunState stateNamed(std::string_view name) {
  const auto found = std::ranges::find(kRunStates, name);
  if (found == kRunStates.end()) return RunState::Interrupted;
  return static_cast<RunState>(found - kRunStates.begin());
}

WallTime wallTime(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(milliseconds));
}

/// `gone`: JSON list of the "running" runs whose writer has died.
constexpr std::string_view kWithGone = "WITH gone(value) AS (SELECT value FROM json_each(?)) ";

/// Every run has both. LEFT JOIN makes SQLite read runs first, in their order, and skip a table
/// that the query does not use (sqlite.org/omitnoopjoin.html).
constexpr std::string_view kTables =
    "runs LEFT JOIN experiments ON experiments.id = experiment_id "
    "LEFT JOIN pipelines ON pipelines.id = pipeline_id ";

constexpr std::string_view kSummaryColumns =
    "SELECT runs.id, uid, experiments.name, runs.name, pipeline_name, digest, state, reason, "
    "started_ms, finished_ms, failed_samples, "
    "(SELECT count(*) FROM repeats WHERE run_id = runs.id), "
    "coalesce(baseline_run = runs.id, 0), boot_id, pid_namespace, pid, pid_start, heartbeat_ms, "
    "(SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second.ci95_low'), "
    "(SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second.ci95_high'), "
    "(SELECT settings FROM trials WHERE run_id = runs.id), ";
constexpr int kRateColumn = 21;

RunSummary summaryOf(const Statement& row, const WriterId& reader) {
  RunSummary summary;
  summary.number = RunNumber{row.integer(0)};
  summary.uid = row.text(1);
  summary.experiment = row.text(2);
  summary.name = row.text(3);
  summary.pipelineName = row.text(4);
  summary.pipelineDigest = row.text(5);
  summary.state = stateNamed(row.text(6));
  summary.reason = row.text(7);
  summary.started = wallTime(row.integer(8));
  if (!row.isNull(9)) summary.finished = wallTime(row.integer(9));
  summary.failedSamples = row.integer(10);
  summary.repeats = row.integer(11);
  summary.baseline = row.integer(12) != 0;
  summary.ci95Low = row.maybeReal(18);
  summary.ci95High = row.maybeReal(19);
  if (!row.isNull(20)) summary.trial = row.text(20);
  summary.samplesPerSecond = row.maybeReal(kRateColumn);
  if (summary.state != RunState::Running) return summary;
  const WriterId writer{row.text(13), row.text(14), row.integer(15), row.integer(16)};
  if (isAlive(writer, wallTime(row.integer(17)), reader, wallNow())) return summary;
  summary.state = RunState::Interrupted;
  summary.reason = "its process ended before the run was finished";
  return summary;
}

SqlValue cellOf(const Statement& row, int column) {
  if (row.isNull(column)) return {};
  if (row.isInteger(column)) return row.integer(column);
  if (row.isReal(column)) return row.real(column);
  return row.text(column);
}

SqlPiece orderOf(const RunQuery& query) {
  SqlPiece order{"ORDER BY", {}};
  for (const SortKey& key : query.sort)
    order = order + key.field.value + (key.descending ? "DESC NULLS LAST," : "ASC NULLS LAST,");
  return order + "runs.id DESC";
}

/// Numbers as a JSON list.
std::string jsonOf(const std::vector<std::int64_t>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// Reads lines of a list one by one with prepared statements.
class SummaryReader {
 public:
  static Result<SummaryReader> make(Database& database, const WriterId& self, const RunQuery& query,
                                    const std::string& gone) {
    SqlPiece sql{std::string(kWithGone), {gone}};
    sql = sql + kSummaryColumns + findField("samples_per_second", {})->value;
    for (const QueryField& column : query.columns) sql = sql + "," + column.value;
    sql = sql + "FROM" + kTables + "WHERE runs.id = ?";
    auto line = database.prepare(sql.sql);
    if (!line.ok()) return line.error();
    line->bindAll(sql.values);
    auto tags = database.prepare("SELECT tag FROM tags WHERE run_id = ? ORDER BY tag");
    if (!tags.ok()) return tags.error();
    return SummaryReader(database, self, line.take(), tags.take(),
                         static_cast<int>(sql.values.size()) + 1, query.columns.size());
  }

  /// nullopt if there is no such run.
  Result<std::optional<RunSummary>> read(std::int64_t run) {
    std::optional<RunSummary> summary;
    m_line.bind(m_runIndex, run);
    MILLRACE_TRY(m_database.each(m_line, [&](const Statement& row) {
      summary = summaryOf(row, m_self);
      for (std::size_t i = 0; i < m_cells; ++i)
        summary->cells.push_back(cellOf(row, kRateColumn + 1 + static_cast<int>(i)));
    }));
    m_tags.bind(1, run);
    MILLRACE_TRY(m_database.each(m_tags, [&](const Statement& row) {
      if (summary) summary->tags.push_back(row.text(0));
    }));
    return summary;
  }

 private:
  SummaryReader(Database& database, const WriterId& self, Statement line, Statement tags,
                int runIndex, std::size_t cells)
      : m_database(database),
        m_self(self),
        m_line(std::move(line)),
        m_tags(std::move(tags)),
        m_runIndex(runIndex),
        m_cells(cells) {}

  Database& m_database;
  WriterId m_self;
  Statement m_line;
  Statement m_tags;
  int m_runIndex;
  std::size_t m_cells;
};

}  // namespace

std::string_view nameOf(RunState state) { return kRunStates[static_cast<std::size_t>(state)]; }

Result<std::string> RunStore::goneRuns() {
  std::vector<std::int64_t> gone;
  const WallTime now = wallNow();
  const Status read = m_database.query(
      "SELECT id, boot_id, pid_namespace, pid, pid_start, heartbeat_ms FROM runs "
      "WHERE state = 'running'",
      [&](const Statement& row) {
        const WriterId writer{row.text(1), row.text(2), row.integer(3), row.integer(4)};
        if (!isAlive(writer, wallTime(row.integer(5)), m_self, now)) gone.push_back(row.integer(0));
      });
  if (!read.ok() && !m_database.lastWasDamage()) return read.error();
  return jsonOf(gone);
}

/// `among`: JSON list of the runs to consider; then no data of other runs is read.
Result<std::vector<std::int64_t>> RunStore::matchingRuns(const RunQuery& query,
                                                         const std::string& gone,
                                                         std::optional<std::string> among) {
  SqlPiece sql{std::string(kWithGone), {gone}};
  sql = sql + "SELECT runs.id FROM";
  // CROSS JOIN keeps this order of the tables (sqlite.org/optoverview.html, "Manual Control").
  if (among) sql = sql + SqlPiece{"json_each(?) AS wanted CROSS JOIN", {*among}};
  sql = sql + kTables + "WHERE runs.id NOT IN (SELECT run_id FROM deletions)";
  if (among) sql = sql + "AND runs.id = wanted.value";
  if (query.experiment) sql = sql + SqlPiece{"AND experiments.name = ?", {*query.experiment}};
  if (!query.where.sql.empty()) sql = sql + "AND" + query.where;
  sql = sql + orderOf(query);
  std::vector<std::int64_t> runs;
  MILLRACE_TRY(
      m_database.query(sql, [&](const Statement& row) { runs.push_back(row.integer(0)); }));
  return runs;
}

/// After damage: queries each run separately and counts those that cannot be read.
Result<std::vector<std::int64_t>> RunStore::readableRuns(const RunQuery& query,
                                                         const std::string& gone, RunList& list) {
  std::int64_t last = 0;
  MILLRACE_TRY(m_database.query("SELECT seq FROM sqlite_sequence WHERE name = 'runs'",
                                [&](const Statement& row) { last = row.integer(0); }));
  std::vector<std::int64_t> good;
  for (std::int64_t run = 1; run <= last; ++run) {
    const auto one = matchingRuns(query, gone, jsonOf({run}));
    if (one.ok() && !one->empty()) good.push_back(run);
    if (one.ok()) continue;
    if (!m_database.lastWasDamage()) return one.error();
    ++list.unreadable;
  }
  return matchingRuns(query, gone, jsonOf(good));
}

Result<std::optional<RunSummary>> RunStore::summaryOfRun(std::int64_t run) {
  auto reader = SummaryReader::make(m_database, m_self, {}, "[]");
  if (!reader.ok()) return reader.error();
  return reader->read(run);
}

Result<RunList> RunStore::search(const RunQuery& query) {
  RunList list;
  const auto gone = goneRuns();
  if (!gone.ok()) return gone.error();
  auto runs = matchingRuns(query, *gone, {});
  if (!runs.ok()) {
    if (!m_database.lastWasDamage()) return runs.error();
    list.damage = runs.error().message;
    runs = readableRuns(query, *gone, list);
    if (!runs.ok()) return runs.error();
  }
  list.matching = static_cast<std::int64_t>(runs->size());
  auto reader = SummaryReader::make(m_database, m_self, query, *gone);
  if (!reader.ok()) return reader.error();
  const auto end = std::min(list.matching, query.offset + query.limit);
  for (std::int64_t i = query.offset; i < end; ++i) {
    auto summary = reader->read((*runs)[static_cast<std::size_t>(i)]);
    if (!summary.ok()) {
      if (!m_database.lastWasDamage()) return summary.error();
      list.damage = summary.error().message;
      ++list.unreadable;
    } else if (*summary) {
      list.runs.push_back(**std::move(summary));
    }
  }
  if (list.runs.empty() && list.unreadable > 0) return Error{list.damage};
  return list;
}

Result<std::vector<RunSummary>> RunStore::list(const RunQuery& query) {
  auto found = search(query);
  if (!found.ok()) return found.error();
  return std::move(found->runs);
}

Result<QueryVocabulary> RunStore::vocabulary() {
  QueryVocabulary all;
  const auto keep = [&](const Statement& row) {
    const std::string name = row.text(0);
    if (all.empty() || all.back().name != name) all.push_back({name, "", false, false, false});
    const std::string type = row.text(1);
    all.back().flag |= type == "boolean";
    all.back().number |= type == "integer" || type == "real";
    all.back().text |= type == "text";
  };
  const Status read = m_database.query(
      "SELECT node || '.' || param, type FROM setting_names ORDER BY node, param", keep);
  if (!read.ok() && !m_database.lastWasDamage()) return read.error();
  return all;
}

Status RunStore::warm(const std::function<bool()>& stopped) {
  constexpr std::int64_t kAtOnce = 256;
  constexpr std::array<std::string_view, 6> kReads = {
      "SELECT sum(length(notes)) FROM runs WHERE id BETWEEN ? AND ?",
      "SELECT sum(length(value)) FROM settings WHERE run_id BETWEEN ? AND ?",
      "SELECT sum(value) FROM run_figures WHERE run_id BETWEEN ? AND ?",
      "SELECT sum(length(tag)) FROM tags WHERE run_id BETWEEN ? AND ?",
      "SELECT sum(length(value)) FROM environment WHERE run_id BETWEEN ? AND ?",
      "SELECT sum(busy_seconds) FROM repeats JOIN node_figures ON repeat_id = repeats.id "
      "WHERE run_id BETWEEN ? AND ?"};
  std::int64_t last = 0;
  MILLRACE_TRY(m_database.query("SELECT max(id) FROM runs",
                                [&](const Statement& row) { last = row.integer(0); }));
  for (; last > 0 && !stopped(); last -= kAtOnce)
    for (const std::string_view read : kReads)
      MILLRACE_TRY(m_database.run(read, last - kAtOnce + 1, last));
  return {};
}

}  // namespace millrace
