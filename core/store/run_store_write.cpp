// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <sys/random.h>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/store/in_transaction.h"
#include "core/store/run_store.h"
#include "core/store/series_blob.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

/// A random UUID (RFC 9562, version 4).
std::string newUid() {
  std::array<unsigned char, 16> bytes{};
  const auto got = getrandom(bytes.data(), bytes.size(), 0);
  MILLRACE_CHECK(got == static_cast<ssize_t>(bytes.size()), "the kernel returned 16 random bytes");
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0fU) | 0x40U);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3fU) | 0x80U);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

}  // namespace

std::string pipelineDigest(std::string_view json) {
  return fmt::format("{:016x}-{}", fnv1a(json), json.size());
}

Result<std::int64_t> RunStore::experimentNamed(const std::string& name, std::int64_t now) {
  MILLRACE_TRY(m_database.run("INSERT OR IGNORE INTO experiments(name, created_ms) VALUES(?, ?)",
                              name, now));
  std::int64_t id = 0;
  MILLRACE_TRY(m_database.query(
      "SELECT id FROM experiments WHERE name = ?",
      [&](const Statement& row) { id = row.integer(0); }, name));
  return id;
}

Result<std::int64_t> RunStore::pipelineOf(const std::string& json) {
  const std::string digest = pipelineDigest(json);
  std::int64_t id = 0;
  MILLRACE_TRY(m_database.query(
      "SELECT id FROM pipelines WHERE digest = ? AND json = ?",
      [&](const Statement& row) { id = row.integer(0); }, digest, json));
  if (id != 0) return id;
  MILLRACE_TRY(m_database.run("INSERT INTO pipelines(digest, json) VALUES(?, ?)", digest, json));
  return m_database.lastInsertedRow();
}

Result<std::int64_t> RunStore::insertRun(const NewRun& run) {
  const std::int64_t now = nowMs();
  const auto experiment = experimentNamed(run.experiment, now);
  if (!experiment.ok()) return experiment.error();
  const auto pipeline = pipelineOf(run.pipelineJson);
  if (!pipeline.ok()) return pipeline.error();
  MILLRACE_TRY(m_database.run(
      "INSERT INTO runs(uid, experiment_id, pipeline_id, pipeline_name, name, notes, "
      "engine_version, state, started_ms, boot_id, pid_namespace, pid, pid_start, heartbeat_ms) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?)",
      newUid(), *experiment, *pipeline, run.pipelineName, run.name, run.notes, run.engineVersion,
      now, m_self.bootId, m_self.pidNamespace, m_self.pid, m_self.startTicks, now));
  return m_database.lastInsertedRow();
}

Status RunStore::insertSettings(std::int64_t run, std::span<const SettingRecord> settings) {
  constexpr std::array kTypes = {"boolean", "integer", "real", "text"};
  for (const SettingRecord& setting : settings) {
    auto insert = m_database.prepare(
        "INSERT OR REPLACE INTO settings(run_id, node, param, type, value) VALUES(?, ?, ?, ?, ?)");
    if (!insert.ok()) return insert.error();
    insert->bindAll(run, setting.node, setting.param, kTypes[setting.value.index()]);
    if (const bool* flag = std::get_if<bool>(&setting.value))
      insert->bind(5, std::int64_t{*flag ? 1 : 0});
    else if (const auto* integer = std::get_if<std::int64_t>(&setting.value))
      insert->bind(5, *integer);
    else if (const auto* real = std::get_if<double>(&setting.value))
      insert->bind(5, *real);
    else
      insert->bind(5, std::get<std::string>(setting.value));
    if (const int code = insert->step(); code != Statement::kDone) return m_database.error(code);
    MILLRACE_TRY(
        m_database.run("INSERT OR IGNORE INTO setting_names(node, param, type) VALUES(?, ?, ?)",
                       setting.node, setting.param, kTypes[setting.value.index()]));
  }
  return {};
}

Result<RunNumber> RunStore::beginRun(const NewRun& run) {
  std::int64_t number = 0;
  MILLRACE_TRY(inTransaction(m_database, [&]() -> Status {
    const auto inserted = insertRun(run);
    if (!inserted.ok()) return inserted.error();
    number = *inserted;
    for (const std::string& tag : run.tags)
      MILLRACE_TRY(
          m_database.run("INSERT OR IGNORE INTO tags(run_id, tag) VALUES(?, ?)", number, tag));
    MILLRACE_TRY(insertSettings(number, run.settings));
    for (const auto& [key, value] : run.environment)
      MILLRACE_TRY(
          m_database.run("INSERT OR REPLACE INTO environment(run_id, key, value) VALUES(?, ?, ?)",
                         number, key, value));
    return {};
  }));
  return RunNumber{number};
}

Status RunStore::heartbeat(RunNumber run) {
  return m_database.run("UPDATE runs SET heartbeat_ms = ? WHERE id = ?", nowMs(), raw(run));
}

Status RunStore::addEnvironment(RunNumber run, std::span<const KeyValue> facts) {
  return inTransaction(m_database, [&]() -> Status {
    for (const auto& [key, value] : facts)
      MILLRACE_TRY(
          m_database.run("INSERT OR REPLACE INTO environment(run_id, key, value) VALUES(?, ?, ?)",
                         raw(run), key, value));
    return {};
  });
}

Status RunStore::addFailures(RunNumber run, std::span<const FailureRecord> failures,
                             std::int64_t total) {
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(
        m_database.run("UPDATE runs SET failed_samples = ? WHERE id = ?", total, raw(run)));
    std::int64_t position = 0;
    MILLRACE_TRY(m_database.query(
        "SELECT count(*) FROM failures WHERE run_id = ?",
        [&](const Statement& row) { position = row.integer(0); }, raw(run)));
    for (const FailureRecord& failure : failures) {
      if (position >= kMaxFailures) break;
      MILLRACE_TRY(m_database.run(
          "INSERT INTO failures(run_id, position, sample, reason) VALUES(?, ?, ?, ?)", raw(run),
          position++, failure.sample, failure.reason));
    }
    return {};
  });
}

Result<RepeatId> RunStore::beginRepeat(RunNumber run, std::int64_t index) {
  MILLRACE_TRY(
      m_database.run("INSERT INTO repeats(run_id, position) VALUES(?, ?)", raw(run), index));
  return RepeatId{m_database.lastInsertedRow()};
}

Status RunStore::addWindow(RepeatId repeat, const WindowRecord& window) {
  const std::int64_t id = raw(repeat);
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(m_database.run(
        "INSERT INTO windows(repeat_id, position, start_seconds, seconds, samples, batches) "
        "SELECT ?1, (SELECT count(*) FROM windows WHERE repeat_id = ?1), ?2, ?3, ?4, ?5",
        id, window.startSeconds, window.seconds, window.samples, window.batches));
    return m_database.run(
        "UPDATE runs SET heartbeat_ms = ? WHERE id = (SELECT run_id FROM repeats WHERE id = ?)",
        nowMs(), id);
  });
}

Status RunStore::appendToChunk(std::int64_t repeat, std::string_view metric, std::int64_t chunk,
                               std::span<const SeriesPoint> points) {
  std::vector<std::byte> blob;
  MILLRACE_TRY(m_database.query(
      "SELECT points FROM series WHERE repeat_id = ? AND metric = ? AND chunk = ?",
      [&](const Statement& row) { blob.assign(row.blob(0).begin(), row.blob(0).end()); }, repeat,
      metric, chunk));
  const std::vector<std::byte> added = encodeSeries(points);
  blob.insert(blob.end(), added.begin(), added.end());
  return m_database.run(
      "INSERT INTO series(repeat_id, metric, chunk, points) VALUES(?, ?, ?, ?) "
      "ON CONFLICT(repeat_id, metric, chunk) DO UPDATE SET points = excluded.points",
      repeat, metric, chunk, std::span<const std::byte>(blob));
}

Status RunStore::addSeries(RepeatId repeat, std::string_view metric,
                           std::span<const SeriesPoint> points) {
  constexpr double kChunkSeconds = 10;
  const auto chunkOf = [](const SeriesPoint& point) {
    return static_cast<std::int64_t>(std::floor(point.seconds / kChunkSeconds));
  };
  return inTransaction(m_database, [&]() -> Status {
    while (!points.empty()) {
      const std::int64_t chunk = chunkOf(points.front());
      const auto end = std::ranges::find_if(
          points, [&](const SeriesPoint& point) { return chunkOf(point) != chunk; });
      const auto count = static_cast<std::size_t>(end - points.begin());
      MILLRACE_TRY(appendToChunk(raw(repeat), metric, chunk, points.first(count)));
      points = points.subspan(count);
    }
    return {};
  });
}

Status RunStore::addNodeFigures(RepeatId repeat, std::span<const NodeRecord> nodes) {
  return inTransaction(m_database, [&]() -> Status {
    std::int64_t position = 0;
    for (const NodeRecord& node : nodes)
      MILLRACE_TRY(m_database.run(
          "INSERT OR REPLACE INTO node_figures(repeat_id, position, node, kind, items, bytes_in, "
          "bytes_out, busy_seconds, cpu_seconds, mean_ms, fused_into) "
          "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          raw(repeat), position++, node.id, node.kind, node.items, node.bytesIn, node.bytesOut,
          node.busySeconds, node.cpuSeconds, node.meanMs, node.fusedInto));
    return {};
  });
}

Status RunStore::addQueueFigures(RepeatId repeat, std::span<const QueueRecord> queues) {
  return inTransaction(m_database, [&]() -> Status {
    std::int64_t position = 0;
    for (const QueueRecord& queue : queues)
      MILLRACE_TRY(m_database.run(
          "INSERT OR REPLACE INTO queue_figures(repeat_id, position, queue, from_stage, to_stage, "
          "unit, capacity, mean_fill, empty_share, full_share) "
          "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          raw(repeat), position++, queue.id, queue.from, queue.to, queue.unit, queue.capacity,
          queue.meanFill, queue.emptyShare, queue.fullShare));
    return {};
  });
}

Status RunStore::addSlowest(RepeatId repeat, std::span<const SlowestRecord> samples) {
  return inTransaction(m_database, [&]() -> Status {
    std::int64_t position = 0;
    for (const SlowestRecord& slow : samples)
      MILLRACE_TRY(m_database.run(
          "INSERT OR REPLACE INTO slowest_samples(repeat_id, position, sample, times, mean_ms, "
          "bytes, node, node_ms, route) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
          raw(repeat), position++, slow.sample, slow.times, slow.meanMs, slow.bytes, slow.node,
          slow.nodeMs, slow.route));
    return {};
  });
}

Status RunStore::together(const std::function<Status()>& work) {
  return inTransaction(m_database, work);
}

Status RunStore::finishRepeat(RepeatId repeat, std::span<const FigureRecord> figures) {
  return inTransaction(m_database, [&]() -> Status {
    for (const FigureRecord& figure : figures)
      MILLRACE_TRY(m_database.run(
          "INSERT OR REPLACE INTO repeat_figures(repeat_id, metric, value) VALUES(?, ?, ?)",
          raw(repeat), figure.metric, figure.value));
    return m_database.run("UPDATE repeats SET finished = 1 WHERE id = ?", raw(repeat));
  });
}

namespace {

Status writeRunFigures(Database& database, RunNumber run, std::span<const FigureRecord> figures) {
  for (const FigureRecord& figure : figures)
    MILLRACE_TRY(
        database.run("INSERT OR REPLACE INTO run_figures(run_id, metric, value) VALUES(?, ?, ?)",
                     raw(run), figure.metric, figure.value));
  return {};
}

}  // namespace

Status RunStore::setRunFigures(RunNumber run, std::span<const FigureRecord> figures) {
  return inTransaction(m_database, [&] { return writeRunFigures(m_database, run, figures); });
}

Status RunStore::finishRun(RunNumber run, RunState state, std::string_view reason,
                           std::span<const FigureRecord> figures) {
  MILLRACE_CHECK(state != RunState::Running, "a finished run cannot be running");
  return inTransaction(m_database, [&]() -> Status {
    MILLRACE_TRY(writeRunFigures(m_database, run, figures));
    return m_database.run("UPDATE runs SET state = ?, reason = ?, finished_ms = ? WHERE id = ?",
                          nameOf(state), reason, nowMs(), raw(run));
  });
}

}  // namespace millrace
