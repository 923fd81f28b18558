// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/liveness.h"
#include "core/store/run_record.h"

namespace millrace {

/// MILLRACE_STORE, else $XDG_DATA_HOME/millrace/runs.db, else ~/.local/share/millrace/runs.db.
std::filesystem::path defaultStorePath();

/// Digest by which a pipeline's text is found again: 64-bit FNV-1a in hex, a dash and its length.
/// The store compares the texts too, so that two texts of one digest stay two.
std::string pipelineDigest(std::string_view json);

/// The runs in one file. One thread at a time; a writer and its readers each open their own, in
/// one or many processes. A run is written as it goes: each call is one short transaction that is
/// whole in the file or not there at all, whatever kills the process. An error names the file; the
/// run that is written goes on without it, its writer says so once.
class RunStore {
 public:
  /// The most failures kept by name for a run; all are counted.
  static constexpr std::int64_t kMaxFailures = 1000;

  static Result<RunStore> open(const std::filesystem::path& file, const Database::Options& options);
  static Result<RunStore> open(const std::filesystem::path& file) { return open(file, {}); }

  const std::filesystem::path& file() const { return m_database.file(); }

  // Writing. Runs and repeats are those that this store gave.

  /// The run is "running", with this process as its writer.
  Result<RunNumber> beginRun(const NewRun& run);
  /// Says that the writer lives; at least every kHeartbeatLimit / 2. addWindow does it too.
  Status heartbeat(RunNumber run);
  /// Adds or replaces what became known while running: fingerprint, page-cache state.
  Status addEnvironment(RunNumber run, std::span<const KeyValue> facts);
  /// Failures since the last call; `total` counts all failed samples of the run so far.
  Status addFailures(RunNumber run, std::span<const FailureRecord> failures, std::int64_t total);
  /// `index` from 0, each once a run.
  Result<RepeatId> beginRepeat(RunNumber run, std::int64_t index);
  Status addWindow(RepeatId repeat, const WindowRecord& window);
  /// Appends points in order of time. They are kept as one blob for each ten seconds.
  Status addSeries(RepeatId repeat, std::string_view metric, std::span<const SeriesPoint> points);
  /// Adds the nodes' figures, or replaces those with the same id.
  Status addNodeFigures(RepeatId repeat, std::span<const NodeRecord> nodes);
  Status addQueueFigures(RepeatId repeat, std::span<const QueueRecord> queues);
  Status finishRepeat(RepeatId repeat, std::span<const FigureRecord> figures);
  /// `state` is not Running; `reason` may be empty. Open repeats stay unfinished.
  Status finishRun(RunNumber run, RunState state, std::string_view reason,
                   std::span<const FigureRecord> figures);

  // Runs measured together.

  /// Says that the record's runs, which this store gave, are the sides of one comparison; its id.
  Result<std::int64_t> beginComparison(const ComparisonRecord& comparison);
  Status setReplacedBlocks(std::int64_t comparison, std::int64_t replaced);
  /// The comparison that a run is a side of; nothing for a run that was measured alone.
  Result<std::optional<ComparisonRecord>> comparisonOf(RunNumber run);
  /// The newest first.
  Result<std::vector<ComparisonRecord>> comparisons(std::int64_t limit);
  /// The run is "running" again, with this process as its writer, and keeps its first `repeats`
  /// repeats. An error when it is finished, or somebody still writes it.
  Status resumeRun(RunNumber run, std::int64_t repeats);

  // Reading. A run whose writer has died reads as interrupted.

  Result<std::vector<RunSummary>> list(const RunQuery& query);
  /// The run with this number ("12", "#12"), or whose uid begins so (4 characters or more).
  Result<RunNumber> find(std::string_view which);
  Result<RunDetails> show(RunNumber run);
  Result<std::vector<SeriesPoint>> series(RepeatId repeat, std::string_view metric);
  Result<std::string> pipelineJson(RunNumber run);

 private:
  explicit RunStore(Database database) : m_database(std::move(database)), m_self(thisWriter()) {}

  Result<std::int64_t> experimentNamed(const std::string& name, std::int64_t now);
  Result<std::int64_t> pipelineOf(const std::string& json);
  Result<std::int64_t> insertRun(const NewRun& run);
  Status insertSettings(std::int64_t run, std::span<const SettingRecord> settings);
  Status appendToChunk(std::int64_t repeat, std::string_view metric, std::int64_t chunk,
                       std::span<const SeriesPoint> points);
  Status readSides(ComparisonRecord& comparison);
  Status readTags(RunSummary& summary);
  Status readRun(std::int64_t run, RunDetails& details);
  Status readRepeats(std::int64_t run, RunDetails& details);
  Status readRepeat(RepeatRecord& repeat);

  Database m_database;
  WriterId m_self;
};

}  // namespace millrace
