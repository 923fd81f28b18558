// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/store/series_blob.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

std::string environmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

SettingRecord settingOf(const Statement& row) {
  SettingRecord setting{row.text(0), row.text(1), {}};
  const std::string type = row.text(2);
  if (type == "boolean")
    setting.value = row.integer(3) != 0;
  else if (type == "integer")
    setting.value = row.integer(3);
  else if (type == "real")
    setting.value = row.real(3);
  else
    setting.value = row.text(3);
  return setting;
}

NodeRecord nodeOf(const Statement& row) {
  NodeRecord node;
  node.id = row.text(0);
  node.kind = row.text(1);
  node.items = row.maybeInteger(2);
  node.bytesIn = row.maybeInteger(3);
  node.bytesOut = row.maybeInteger(4);
  node.busySeconds = row.maybeReal(5);
  node.cpuSeconds = row.maybeReal(6);
  node.meanMs = row.maybeReal(7);
  node.fusedInto = row.maybeText(8);
  return node;
}

QueueRecord queueOf(const Statement& row) {
  QueueRecord queue;
  queue.id = row.text(0);
  queue.from = row.text(1);
  queue.to = row.text(2);
  queue.unit = row.text(3);
  queue.capacity = row.integer(4);
  queue.meanFill = row.maybeReal(5);
  queue.emptyShare = row.maybeReal(6);
  queue.fullShare = row.maybeReal(7);
  return queue;
}

}  // namespace

std::filesystem::path defaultStorePath() {
  if (const std::string file = environmentVariable("MILLRACE_STORE"); !file.empty()) return file;
  const std::string data = environmentVariable("XDG_DATA_HOME");
  // XDG base directory specification: relative paths must be ignored.
  if (!data.empty() && data.front() == '/')
    return std::filesystem::path(data) / "millrace" / "runs.db";
  return std::filesystem::path(environmentVariable("HOME")) / ".local/share/millrace/runs.db";
}

Result<RunStore> RunStore::open(const std::filesystem::path& file,
                                const Database::Options& options) {
  auto database = Database::open(file, options);
  if (!database.ok()) return database.error();
  return RunStore(database.take());
}

Result<std::int64_t> RunStore::version() {
  std::int64_t version = 0;
  MILLRACE_TRY(m_database.query("PRAGMA data_version",
                                [&](const Statement& row) { version = row.integer(0); }));
  return version;
}

Result<RunNumber> RunStore::find(std::string_view which) {
  const std::string_view digits = which.starts_with('#') ? which.substr(1) : which;
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  std::vector<std::int64_t> found;
  const auto keep = [&](const Statement& row) { found.push_back(row.integer(0)); };
  if (read.ec == std::errc() && read.ptr == digits.data() + digits.size())
    MILLRACE_TRY(m_database.query(
        "SELECT id FROM runs WHERE id = ? AND id NOT IN (SELECT run_id FROM deletions)", keep,
        number));
  if (found.empty() && which.size() >= 4)
    MILLRACE_TRY(m_database.query(
        "SELECT id FROM runs WHERE uid >= lower(?1) AND uid < lower(?1) || 'z' AND "
        "substr(uid, 1, length(?1)) = lower(?1) AND id NOT IN (SELECT run_id FROM deletions) "
        "ORDER BY id LIMIT 10",
        keep, which));
  if (found.size() == 1) return RunNumber{found.front()};
  if (found.empty())
    return Error{fmt::format("no run \"{}\" in {}; `millrace runs list` shows all",
                             validUtf8(which), file().string())};
  std::vector<std::string> numbers;
  for (const std::int64_t one : found) numbers.push_back(std::to_string(one));
  return Error{fmt::format("several runs have ids that begin with \"{}\": {}; give a number",
                           validUtf8(which), joinWords(numbers))};
}

Status RunStore::tolerate(const Status& read, std::string_view part, RunDetails& details) {
  if (read.ok() || !m_database.lastWasDamage()) return read;
  details.unreadable.emplace_back(part);
  return {};
}

Result<RunDetails> RunStore::show(RunNumber run) {
  RunDetails details;
  const auto summary = summaryOfRun(raw(run));
  if (!summary.ok()) return summary.error();
  if (!*summary) return Error{fmt::format("no run {} in {}", raw(run), file().string())};
  details.summary = **summary;
  MILLRACE_TRY(readRun(raw(run), details));
  MILLRACE_TRY(tolerate(readRepeats(raw(run), details), "repeats", details));
  for (RepeatRecord& repeat : details.repeats) MILLRACE_TRY(readRepeat(repeat, details));
  return details;
}

Status RunStore::readRun(std::int64_t run, RunDetails& details) {
  const auto read = [&](std::string_view part, std::string_view sql, const auto& onRow) {
    return tolerate(m_database.query(sql, onRow, run), part, details);
  };
  MILLRACE_TRY(read("notes", "SELECT notes, engine_version FROM runs WHERE id = ?",
                    [&](const Statement& row) {
                      details.notes = row.text(0);
                      details.engineVersion = row.text(1);
                    }));
  MILLRACE_TRY(
      read("settings",
           "SELECT node, param, type, value FROM settings WHERE run_id = ? ORDER BY node, param",
           [&](const Statement& row) { details.settings.push_back(settingOf(row)); }));
  MILLRACE_TRY(read(
      "environment", "SELECT key, value FROM environment WHERE run_id = ? ORDER BY key",
      [&](const Statement& row) { details.environment.emplace_back(row.text(0), row.text(1)); }));
  MILLRACE_TRY(read(
      "figures", "SELECT metric, value FROM run_figures WHERE run_id = ? ORDER BY metric",
      [&](const Statement& row) { details.figures.push_back({row.text(0), row.maybeReal(1)}); }));
  MILLRACE_TRY(read("blocks",
                    "SELECT EXISTS(SELECT 1 FROM comparison_sides WHERE run_id = ?1) OR "
                    "EXISTS(SELECT 1 FROM trials WHERE run_id = ?1)",
                    [&](const Statement& row) { details.inBlocks = row.integer(0) != 0; }));
  return read(
      "failures", "SELECT sample, reason FROM failures WHERE run_id = ? ORDER BY position",
      [&](const Statement& row) { details.failures.push_back({row.text(0), row.text(1)}); });
}

Status RunStore::readRepeats(std::int64_t run, RunDetails& details) {
  const auto keep = [&](const Statement& row) {
    RepeatRecord repeat;
    repeat.id = RepeatId{row.integer(0)};
    repeat.index = row.integer(1);
    repeat.finished = row.integer(2) != 0;
    details.repeats.push_back(std::move(repeat));
  };
  return m_database.query(
      "SELECT id, position, finished FROM repeats WHERE run_id = ? ORDER BY position", keep, run);
}

Status RunStore::readRepeat(RepeatRecord& repeat, RunDetails& details) {
  const auto read = [&](std::string_view part, std::string_view sql, const auto& onRow) {
    return tolerate(m_database.query(sql, onRow, raw(repeat.id)),
                    fmt::format("{} of repeat {}", part, repeat.index + 1), details);
  };
  MILLRACE_TRY(read(
      "figures", "SELECT metric, value FROM repeat_figures WHERE repeat_id = ? ORDER BY metric",
      [&](const Statement& row) { repeat.figures.push_back({row.text(0), row.maybeReal(1)}); }));
  MILLRACE_TRY(
      read("windows",
           "SELECT start_seconds, seconds, samples, batches FROM windows WHERE repeat_id = ? "
           "ORDER BY position",
           [&](const Statement& row) {
             repeat.windows.push_back({row.real(0), row.real(1), row.integer(2), row.integer(3)});
           }));
  MILLRACE_TRY(
      read("nodes",
           "SELECT node, kind, items, bytes_in, bytes_out, busy_seconds, cpu_seconds, mean_ms, "
           "fused_into FROM node_figures WHERE repeat_id = ? ORDER BY position",
           [&](const Statement& row) { repeat.nodes.push_back(nodeOf(row)); }));
  MILLRACE_TRY(
      read("queues",
           "SELECT queue, from_stage, to_stage, unit, capacity, mean_fill, empty_share, full_share "
           "FROM queue_figures WHERE repeat_id = ? ORDER BY position",
           [&](const Statement& row) { repeat.queues.push_back(queueOf(row)); }));
  MILLRACE_TRY(
      read("slowest samples",
           "SELECT sample, times, mean_ms, bytes, node, node_ms, route FROM slowest_samples "
           "WHERE repeat_id = ? ORDER BY position",
           [&](const Statement& row) {
             repeat.slowest.push_back({row.text(0), row.integer(1), row.real(2), row.integer(3),
                                       row.text(4), row.real(5), row.text(6)});
           }));
  return read("series", "SELECT DISTINCT metric FROM series WHERE repeat_id = ? ORDER BY metric",
              [&](const Statement& row) { repeat.seriesMetrics.push_back(row.text(0)); });
}

Result<std::vector<SeriesPoint>> RunStore::series(RepeatId repeat, std::string_view metric) {
  std::vector<SeriesPoint> points;
  const auto keep = [&](const Statement& row) {
    const auto chunk = decodeSeries(row.blob(0));
    points.insert(points.end(), chunk.begin(), chunk.end());
  };
  MILLRACE_TRY(m_database.query(
      "SELECT points FROM series WHERE repeat_id = ? AND metric = ? ORDER BY chunk", keep,
      raw(repeat), metric));
  return points;
}

Result<std::string> RunStore::pipelineJson(RunNumber run) {
  std::optional<std::string> json;
  MILLRACE_TRY(m_database.query(
      "SELECT json FROM runs JOIN pipelines ON pipelines.id = pipeline_id WHERE runs.id = ?",
      [&](const Statement& row) { json = row.text(0); }, raw(run)));
  if (!json) return Error{fmt::format("no run {} in {}", raw(run), file().string())};
  return *std::move(json);
}

}  // namespace millrace
