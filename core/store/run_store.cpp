// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/store/series_blob.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, 4> kStates = {"running", "finished", "failed",
                                                     "interrupted"};

std::int64_t raw(RunNumber run) { return static_cast<std::int64_t>(run); }
std::int64_t raw(RepeatId repeat) { return static_cast<std::int64_t>(repeat); }

RunState stateNamed(std::string_view name) {
  const auto found = std::ranges::find(kStates, name);
  if (found == kStates.end()) return RunState::Interrupted;
  return static_cast<RunState>(found - kStates.begin());
}

WallTime wallTime(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(milliseconds));
}

std::string environmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// All of a line of `runs list` but its tags; the rate of an unfinished run is that of its windows.
constexpr std::string_view kSummaryColumns =
    "SELECT runs.id, uid, experiments.name, runs.name, pipeline_name, digest, state, reason, "
    "started_ms, finished_ms, failed_samples, "
    "(SELECT count(*) FROM repeats WHERE run_id = runs.id), "
    "coalesce((SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second'), (SELECT sum(samples) / sum(seconds) FROM windows WHERE "
    "repeat_id IN (SELECT id FROM repeats WHERE run_id = runs.id))), "
    "coalesce(baseline_run = runs.id, 0), boot_id, pid_namespace, pid, pid_start, heartbeat_ms, "
    "(SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second.ci95_low'), "
    "(SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second.ci95_high') "
    "FROM runs JOIN experiments ON experiments.id = experiment_id "
    "JOIN pipelines ON pipelines.id = pipeline_id ";

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
  summary.samplesPerSecond = row.maybeReal(12);
  summary.baseline = row.integer(13) != 0;
  summary.ci95Low = row.maybeReal(19);
  summary.ci95High = row.maybeReal(20);
  if (summary.state != RunState::Running) return summary;
  const WriterId writer{row.text(14), row.text(15), row.integer(16), row.integer(17)};
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  if (isAlive(writer, wallTime(row.integer(18)), reader, now)) return summary;
  summary.state = RunState::Interrupted;
  summary.reason = "its process ended before the run did";
  return summary;
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

std::string_view nameOf(RunState state) { return kStates[static_cast<std::size_t>(state)]; }

std::filesystem::path defaultStorePath() {
  if (const std::string file = environmentVariable("MILLRACE_STORE"); !file.empty()) return file;
  const std::string data = environmentVariable("XDG_DATA_HOME");
  // The XDG base directory specification: a relative path is to be ignored.
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

Result<std::vector<RunSummary>> RunStore::list(const RunQuery& query) {
  std::vector<RunSummary> runs;
  MILLRACE_TRY(m_database.query(
      std::string(kSummaryColumns) +
          "WHERE ?1 IS NULL OR experiments.name = ?1 ORDER BY runs.id DESC LIMIT ?2 OFFSET ?3",
      [&](const Statement& row) { runs.push_back(summaryOf(row, m_self)); }, query.experiment,
      query.limit, query.offset));
  for (RunSummary& run : runs) MILLRACE_TRY(readTags(run));
  return runs;
}

Status RunStore::readTags(RunSummary& summary) {
  return m_database.query(
      "SELECT tag FROM tags WHERE run_id = ? ORDER BY tag",
      [&](const Statement& row) { summary.tags.push_back(row.text(0)); }, raw(summary.number));
}

Result<RunNumber> RunStore::find(std::string_view which) {
  const std::string_view digits = which.starts_with('#') ? which.substr(1) : which;
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  std::vector<std::int64_t> found;
  const auto keep = [&](const Statement& row) { found.push_back(row.integer(0)); };
  if (read.ec == std::errc() && read.ptr == digits.data() + digits.size())
    MILLRACE_TRY(m_database.query("SELECT id FROM runs WHERE id = ?", keep, number));
  if (found.empty() && which.size() >= 4)
    MILLRACE_TRY(m_database.query(
        "SELECT id FROM runs WHERE substr(uid, 1, length(?1)) = lower(?1) ORDER BY id LIMIT 10",
        keep, which));
  if (found.size() == 1) return RunNumber{found.front()};
  if (found.empty())
    return Error{fmt::format("no run \"{}\" in {}; `millrace runs list` shows all",
                             validUtf8(which), file().string())};
  std::vector<std::string> numbers;
  for (const std::int64_t one : found) numbers.push_back(std::to_string(one));
  return Error{fmt::format("\"{}\" begins the ids of several runs: {}; give a number",
                           validUtf8(which), joinWords(numbers))};
}

Result<RunDetails> RunStore::show(RunNumber run) {
  RunDetails details;
  bool found = false;
  const auto keep = [&](const Statement& row) {
    details.summary = summaryOf(row, m_self);
    found = true;
  };
  MILLRACE_TRY(
      m_database.query(std::string(kSummaryColumns) + "WHERE runs.id = ?", keep, raw(run)));
  if (!found) return Error{fmt::format("no run {} in {}", raw(run), file().string())};
  MILLRACE_TRY(readTags(details.summary));
  MILLRACE_TRY(readRun(raw(run), details));
  MILLRACE_TRY(readRepeats(raw(run), details));
  return details;
}

Status RunStore::readRun(std::int64_t run, RunDetails& details) {
  MILLRACE_TRY(m_database.query(
      "SELECT notes, engine_version FROM runs WHERE id = ?",
      [&](const Statement& row) {
        details.notes = row.text(0);
        details.engineVersion = row.text(1);
      },
      run));
  MILLRACE_TRY(m_database.query(
      "SELECT node, param, type, value FROM settings WHERE run_id = ? ORDER BY node, param",
      [&](const Statement& row) { details.settings.push_back(settingOf(row)); }, run));
  MILLRACE_TRY(m_database.query(
      "SELECT key, value FROM environment WHERE run_id = ? ORDER BY key",
      [&](const Statement& row) { details.environment.emplace_back(row.text(0), row.text(1)); },
      run));
  MILLRACE_TRY(m_database.query(
      "SELECT metric, value FROM run_figures WHERE run_id = ? ORDER BY metric",
      [&](const Statement& row) { details.figures.push_back({row.text(0), row.maybeReal(1)}); },
      run));
  return m_database.query(
      "SELECT sample, reason FROM failures WHERE run_id = ? ORDER BY position",
      [&](const Statement& row) { details.failures.push_back({row.text(0), row.text(1)}); }, run);
}

Status RunStore::readRepeats(std::int64_t run, RunDetails& details) {
  const auto keep = [&](const Statement& row) {
    RepeatRecord repeat;
    repeat.id = RepeatId{row.integer(0)};
    repeat.index = row.integer(1);
    repeat.finished = row.integer(2) != 0;
    details.repeats.push_back(std::move(repeat));
  };
  MILLRACE_TRY(m_database.query(
      "SELECT id, position, finished FROM repeats WHERE run_id = ? ORDER BY position", keep, run));
  for (RepeatRecord& repeat : details.repeats) MILLRACE_TRY(readRepeat(repeat));
  return {};
}

Status RunStore::readRepeat(RepeatRecord& repeat) {
  const std::int64_t id = raw(repeat.id);
  MILLRACE_TRY(m_database.query(
      "SELECT metric, value FROM repeat_figures WHERE repeat_id = ? ORDER BY metric",
      [&](const Statement& row) { repeat.figures.push_back({row.text(0), row.maybeReal(1)}); },
      id));
  MILLRACE_TRY(m_database.query(
      "SELECT start_seconds, seconds, samples, batches FROM windows WHERE repeat_id = ? "
      "ORDER BY position",
      [&](const Statement& row) {
        repeat.windows.push_back({row.real(0), row.real(1), row.integer(2), row.integer(3)});
      },
      id));
  MILLRACE_TRY(m_database.query(
      "SELECT node, kind, items, bytes_in, bytes_out, busy_seconds, cpu_seconds, mean_ms, "
      "fused_into FROM node_figures WHERE repeat_id = ? ORDER BY position",
      [&](const Statement& row) { repeat.nodes.push_back(nodeOf(row)); }, id));
  MILLRACE_TRY(m_database.query(
      "SELECT queue, from_stage, to_stage, unit, capacity, mean_fill, empty_share, full_share "
      "FROM queue_figures WHERE repeat_id = ? ORDER BY position",
      [&](const Statement& row) { repeat.queues.push_back(queueOf(row)); }, id));
  return m_database.query(
      "SELECT DISTINCT metric FROM series WHERE repeat_id = ? ORDER BY metric",
      [&](const Statement& row) { repeat.seriesMetrics.push_back(row.text(0)); }, id);
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
