// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Copying runs from another store. Rows are read with one connection and written with the other, so
// that it is clear which store an error belongs to.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/store/in_transaction.h"
#include "core/store/run_store.h"

namespace millrace {

namespace {

/// A table with rows of a run or a repeat, linked by `key`; `columns` are the other columns.
struct Table {
  const char* name;
  const char* key;
  const char* columns;
};

constexpr std::array kOfRun = {
    Table{"tags", "run_id", "tag"},
    Table{"settings", "run_id", "node, param, type, value"},
    Table{"environment", "run_id", "key, value"},
    Table{"run_figures", "run_id", "metric, value"},
    Table{"failures", "run_id", "position, sample, reason"},
    Table{"predictions", "run_id", "made_ms, edit, metric, low, middle, high, followed_value"},
};
constexpr std::array kOfRepeat = {
    Table{"repeat_figures", "repeat_id", "metric, value"},
    Table{"windows", "repeat_id", "position, start_seconds, seconds, samples, batches"},
    Table{"node_figures", "repeat_id",
          "position, node, kind, items, bytes_in, bytes_out, busy_seconds, cpu_seconds, mean_ms, "
          "fused_into"},
    Table{"queue_figures", "repeat_id",
          "position, queue, from_stage, to_stage, unit, capacity, mean_fill, empty_share, "
          "full_share"},
    Table{"slowest_samples", "repeat_id",
          "position, sample, times, mean_ms, bytes, node, node_ms, route"},
    Table{"series", "repeat_id", "metric, chunk, points"},
};
constexpr const char* kRunColumns =
    "uid, pipeline_name, name, notes, engine_version, state, reason, started_ms, finished_ms, "
    "failed_samples, boot_id, pid_namespace, pid, pid_start, heartbeat_ms";

int countOf(std::string_view columns) {
  return static_cast<int>(std::ranges::count(columns, ',')) + 1;
}

void bindColumn(Statement& to, int index, const Statement& from, int column) {
  if (from.isNull(column))
    to.bind(index, std::nullopt);
  else if (from.isInteger(column))
    to.bind(index, from.integer(column));
  else if (from.isReal(column))
    to.bind(index, from.real(column));
  else if (from.isBlob(column))
    to.bind(index, from.blob(column));
  else
    to.bind(index, std::string_view(from.text(column)));
}

/// Copies within an open transaction of the target. `sourceFailed`: whether the error came from the
/// source.
class RunCopy {
 public:
  RunCopy(Database& source, Database& target, std::int64_t run)
      : m_source(source), m_target(target), m_run(run) {}

  bool sourceFailed() const { return m_sourceFailed; }

  Status copy(std::int64_t experiment, std::int64_t pipeline) {
    const std::array parents = {experiment, pipeline};
    MILLRACE_TRY(rows(fmt::format("SELECT {} FROM runs WHERE id = ?", kRunColumns), m_run,
                      insertSql("runs", "experiment_id, pipeline_id", kRunColumns), parents));
    const std::int64_t run = m_target.lastInsertedRow();
    for (const Table& table : kOfRun) MILLRACE_TRY(children(table, m_run, run));
    MILLRACE_TRY(
        m_target.run("INSERT OR IGNORE INTO setting_names SELECT node, param, type FROM settings "
                     "WHERE run_id = ?",
                     run));
    MILLRACE_TRY(copyRepeats(run));
    MILLRACE_TRY(copyComparison());
    MILLRACE_TRY(copyTrials(run, experiment));
    return copyBaseline(run, experiment);
  }

  /// Reads the first column of the first row of the source.
  Result<std::string> text(const std::string& sql) {
    std::string text;
    if (Status read = m_source.query(
            sql, [&](const Statement& row) { text = row.text(0); }, m_run);
        !read.ok())
      return ofSource(read);
    return text;
  }

 private:
  static std::string insertSql(std::string_view table, std::string_view keys,
                               std::string_view columns) {
    std::string marks = "?";
    for (int i = 1; i < countOf(keys) + countOf(columns); ++i) marks += ", ?";
    return fmt::format("INSERT INTO {}({}, {}) VALUES({})", table, keys, columns, marks);
  }

  Error ofSource(const Status& failed) {
    m_sourceFailed = true;
    return failed.error();
  }

  Status children(const Table& table, std::int64_t from, std::int64_t to) {
    const std::array keys = {to};
    return rows(fmt::format("SELECT {} FROM {} WHERE {} = ?", table.columns, table.name, table.key),
                from, insertSql(table.name, table.key, table.columns), keys);
  }

  /// Inserts each row of `select` for `from` with `insert`, after the keys.
  Status rows(const std::string& select, std::int64_t from, const std::string& insert,
              std::span<const std::int64_t> keys) {
    auto statement = m_target.prepare(insert);
    if (!statement.ok()) return statement.error();
    const int columns = countOf(std::string_view(select).substr(0, select.find(" FROM ")));
    Status written;
    const auto copyRow = [&](const Statement& row) {
      if (!written.ok()) return;
      int index = 0;
      for (const std::int64_t key : keys) statement->bind(++index, key);
      for (int column = 0; column < columns; ++column) bindColumn(*statement, ++index, row, column);
      written = m_target.each(*statement, [](const Statement&) {});
    };
    if (Status read = m_source.query(select, copyRow, from); !read.ok()) return ofSource(read);
    return written;
  }

  Status copyRepeats(std::int64_t run) {
    std::vector<std::array<std::int64_t, 3>> repeats;
    Status read = m_source.query(
        "SELECT id, position, finished FROM repeats WHERE run_id = ? ORDER BY position",
        [&](const Statement& row) {
          repeats.push_back({row.integer(0), row.integer(1), row.integer(2)});
        },
        m_run);
    if (!read.ok()) return ofSource(read);
    for (const auto& [id, position, finished] : repeats) {
      MILLRACE_TRY(m_target.run("INSERT INTO repeats(run_id, position, finished) VALUES(?, ?, ?)",
                                run, position, finished));
      const std::int64_t to = m_target.lastInsertedRow();
      for (const Table& table : kOfRepeat) MILLRACE_TRY(children(table, id, to));
    }
    return {};
  }

  Status copyBaseline(std::int64_t run, std::int64_t experiment) {
    const auto isBaseline = text("SELECT count(*) FROM experiments WHERE baseline_run = ?");
    if (!isBaseline.ok()) return isBaseline.error();
    if (*isBaseline == "0") return {};
    return m_target.run(
        "UPDATE experiments SET baseline_run = ? WHERE id = ? AND baseline_run IS NULL", run,
        experiment);
  }

  Status copyComparison();
  Status copyTrials(std::int64_t run, std::int64_t experiment);
  Status copySteps(std::int64_t experiment);

  Database& m_source;
  Database& m_target;
  std::int64_t m_run;
  bool m_sourceFailed = false;
};

/// A run and its position in a comparison.
struct PlacedRun {
  std::int64_t run;
  std::int64_t position;
};

/// Creates the comparison here once a second side is here.
Status RunCopy::copyComparison() {
  std::vector<std::pair<std::string, std::int64_t>> known;
  Status read = m_source.query(
      "SELECT uid, position FROM comparison_sides JOIN runs ON runs.id = run_id WHERE "
      "comparison_id = (SELECT comparison_id FROM comparison_sides WHERE run_id = ?)",
      [&](const Statement& row) { known.emplace_back(row.text(0), row.integer(1)); }, m_run);
  if (!read.ok()) return ofSource(read);
  std::vector<PlacedRun> missing;
  std::optional<std::int64_t> comparison;
  for (const auto& [uid, position] : known)
    MILLRACE_TRY(m_target.query(
        "SELECT id, comparison_id FROM runs LEFT JOIN comparison_sides ON run_id = id "
        "WHERE uid = ?",
        [&](const Statement& row) {
          if (row.isNull(1)) missing.push_back({row.integer(0), position});
          if (!row.isNull(1)) comparison = row.integer(1);
        },
        uid));
  if (!comparison && missing.size() < 2) return {};
  if (!comparison) {
    MILLRACE_TRY(
        rows("SELECT seed, warmup_seconds, seconds, blocks, more_blocks, replaced_blocks FROM "
             "comparisons WHERE id = (SELECT comparison_id FROM comparison_sides WHERE run_id = ?)",
             m_run,
             "INSERT INTO comparisons(seed, warmup_seconds, seconds, blocks, more_blocks, "
             "replaced_blocks) VALUES(?, ?, ?, ?, ?, ?)",
             {}));
    comparison = m_target.lastInsertedRow();
  }
  for (const PlacedRun& side : missing)
    MILLRACE_TRY(m_target.run(
        "INSERT INTO comparison_sides(run_id, comparison_id, position) VALUES(?, ?, ?)", side.run,
        *comparison, side.position));
  return {};
}

struct CopiedTrial {
  std::int64_t position;
  std::string settings;
  std::string state;
  std::string reason;
  std::optional<double> value;
  bool own;  ///< the copied run belongs to this trial
};

/// The first run of a search brings all its trials, each further run only its own. Trials are not
/// copied if the experiment has trials of another search here.
Status RunCopy::copyTrials(std::int64_t run, std::int64_t experiment) {
  std::vector<CopiedTrial> trials;
  // A trial that was running in the source is not continued here.
  Status read = m_source.query(
      "SELECT position, settings, iif(state = 'running', 'waiting', state), reason, value, "
      "run_id IS ?1 FROM trials WHERE experiment_id = (SELECT experiment_id FROM trials WHERE "
      "run_id = ?1)",
      [&](const Statement& row) {
        trials.push_back({row.integer(0), row.text(1), row.text(2), row.text(3), row.maybeReal(4),
                          row.integer(5) != 0});
      },
      m_run);
  if (!read.ok()) return ofSource(read);
  bool another = false;
  for (const CopiedTrial& trial : trials)
    MILLRACE_TRY(m_target.query(
        "SELECT 1 FROM trials WHERE experiment_id = ? AND position = ? AND settings <> ?",
        [&](const Statement&) { another = true; }, experiment, trial.position, trial.settings));
  if (another) return {};
  for (const CopiedTrial& trial : trials) {
    MILLRACE_TRY(m_target.run(
        "INSERT INTO trials(experiment_id, position, settings, state, reason, value) "
        "VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, "
        "reason = excluded.reason, value = excluded.value WHERE trials.state = 'waiting'",
        experiment, trial.position, trial.settings, trial.state, trial.reason, trial.value));
    if (trial.own)
      MILLRACE_TRY(
          m_target.run("UPDATE trials SET run_id = ? WHERE experiment_id = ? AND position = ?", run,
                       experiment, trial.position));
  }
  return trials.empty() ? Status() : copySteps(experiment);
}

/// The log of the search is copied completely with the first of its runs.
Status RunCopy::copySteps(std::int64_t experiment) {
  bool there = false;
  MILLRACE_TRY(m_target.query(
      "SELECT 1 FROM search_steps WHERE experiment_id = ? LIMIT 1",
      [&](const Statement&) { there = true; }, experiment));
  if (there) return {};
  const std::array keys = {experiment};
  return rows(
      "SELECT position, content FROM search_steps WHERE experiment_id = "
      "(SELECT experiment_id FROM trials WHERE run_id = ?)",
      m_run, insertSql("search_steps", "experiment_id", "position, content"), keys);
}

}  // namespace

Result<RunStore> RunStore::openSource(const std::filesystem::path& file) {
  Database::Options options;
  options.mode = Database::Mode::ReadUnmigrated;
  auto database = Database::open(file, options);
  if (!database.ok()) return database.error();
  if (database->isNewest()) return RunStore(database.take());
  auto copy = database->privateCopy();
  if (!copy.ok()) return copy.error();
  return RunStore(copy.take());
}

Result<RunStore::Import> RunStore::importRun(RunStore& source, RunNumber run) {
  RunCopy copy(source.m_database, m_database, static_cast<std::int64_t>(run));
  const auto uid = copy.text("SELECT uid FROM runs WHERE id = ?");
  const auto summary = source.summaryOfRun(static_cast<std::int64_t>(run));
  const auto json = source.pipelineJson(run);
  const auto created = copy.text(
      "SELECT created_ms FROM experiments WHERE id = (SELECT experiment_id FROM runs WHERE id = "
      "?)");
  if (!uid.ok() || !summary.ok() || !*summary || !json.ok() || !created.ok())
    return Import::Unreadable;
  if ((*summary)->state == RunState::Running) return Import::Running;
  bool there = false;
  std::vector<RunNumber> deleted;
  const Status done = inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(m_database.query(
        "SELECT id, id IN (SELECT run_id FROM deletions) FROM runs WHERE uid = ?",
        [&](const Statement& row) {
          there = row.integer(1) == 0;
          if (!there) deleted.push_back(RunNumber{row.integer(0)});
        },
        *uid));
    if (!deleted.empty()) return restore(deleted);
    if (there) return {};
    const auto experiment =
        experimentNamed((*summary)->experiment, std::strtoll(created->c_str(), nullptr, 10));
    if (!experiment.ok()) return experiment.error();
    const auto pipeline = pipelineOf(*json);
    if (!pipeline.ok()) return pipeline.error();
    return copy.copy(*experiment, *pipeline);
  });
  if (!done.ok() && copy.sourceFailed()) return Import::Unreadable;
  if (!done.ok()) return done.error();
  return there ? Import::AlreadyThere : Import::Added;
}

}  // namespace millrace
