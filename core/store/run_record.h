// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/store/sql_piece.h"

namespace millrace {

// What the store holds of a run, as plain values. The store depends on neither engine nor graph;
// the owner of a run maps its structs to these. Absent is nullopt, never 0. Times within a repeat
// are seconds since its beginning, including warm-up.

/// The number that users see and type; unique within a store, never reused.
enum class RunNumber : std::int64_t {};
/// Row of a repeat; valid only for the store that returned it.
enum class RepeatId : std::int64_t {};

/// Interrupted: the writer died, or the user stopped the run (the reason says which).
enum class RunState : std::uint8_t { Running, Finished, Failed, Interrupted };
std::string_view nameOf(RunState state);

/// Lists are stored as their JSON text.
using SettingValue = std::variant<bool, std::int64_t, double, std::string>;
struct SettingRecord {
  std::string node;
  std::string param;
  SettingValue value;
};

using KeyValue = std::pair<std::string, std::string>;

/// Entries of a run's environment that exclude it from verdicts (docs/reference/verdict.md): its
/// parameters were changed while it ran ("node.param=value, ..."), or every sample was timed for a
/// trace ("yes").
inline constexpr std::string_view kLiveChangesFact = "live_changes";
inline constexpr std::string_view kTracedFact = "traced";
/// Number of processes that ran the pipeline at the same time; absent: one.
inline constexpr std::string_view kRanksFact = "ranks";

/// What is known when a run begins.
struct NewRun {
  std::string experiment = "default";
  std::string name;
  std::string notes;
  std::vector<std::string> tags;
  std::string pipelineName;  ///< file or example that was run
  std::string pipelineJson;
  std::string engineVersion;
  std::vector<SettingRecord> settings;  ///< all settings, including defaults
  std::vector<KeyValue> environment;
};

/// A figure by the id of its metric (core/metrics/metric_spec.h).
struct FigureRecord {
  std::string metric;
  std::optional<double> value;
};

struct WindowRecord {
  double startSeconds = 0;
  double seconds = 0;
  std::int64_t samples = 0;
  std::int64_t batches = 0;
};

struct NodeRecord {
  std::string id;
  std::string kind;
  std::optional<std::int64_t> items;
  std::optional<std::int64_t> bytesIn;
  std::optional<std::int64_t> bytesOut;
  std::optional<double> busySeconds;
  std::optional<double> cpuSeconds;
  std::optional<double> meanMs;
  std::optional<std::string> fusedInto;
};

struct QueueRecord {
  std::string id;
  std::string from;
  std::string to;
  std::string unit;
  std::int64_t capacity = 0;
  std::optional<double> meanFill;
  std::optional<double> emptyShare;
  std::optional<double> fullShare;
};

/// A sample that was among the slowest of a repeat.
struct SlowestRecord {
  std::string sample;
  std::int64_t times = 0;
  double meanMs = 0;
  std::int64_t bytes = 0;
  std::string node;
  double nodeMs = 0;
  std::string route;
};

struct FailureRecord {
  std::string sample;
  std::string reason;
};

/// One value of a time series.
struct SeriesPoint {
  double seconds = 0;
  double value = 0;

  bool operator==(const SeriesPoint&) const = default;
};

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// A run as a line of `runs list`.
struct RunSummary {
  RunNumber number{};
  std::string uid;  ///< UUID, the same in every store that the run is copied to
  std::string experiment;
  std::string name;
  std::string pipelineName;
  std::string pipelineDigest;
  std::vector<std::string> tags;
  RunState state = RunState::Running;
  std::string reason;
  WallTime started{};
  std::optional<WallTime> finished;
  std::int64_t repeats = 0;  ///< repeats begun
  std::int64_t failedSamples = 0;
  /// Rate of the run; for an unfinished run, over its windows so far.
  std::optional<double> samplesPerSecond;
  std::optional<double> ci95Low;  ///< interval of that rate, if the run has one
  std::optional<double> ci95High;
  bool baseline = false;
  /// Of a run of a sweep or tuning: its settings that vary, "workers.count=2".
  std::optional<std::string> trial = std::nullopt;
  std::vector<SqlValue> cells;  ///< values of RunQuery::columns in their order; only in lists
};

struct RepeatRecord {
  RepeatId id{};
  std::int64_t index = 0;  ///< from 0
  bool finished = false;
  std::vector<FigureRecord> figures;
  std::vector<WindowRecord> windows;
  std::vector<NodeRecord> nodes;
  std::vector<QueueRecord> queues;
  std::vector<SlowestRecord> slowest;  ///< the slowest first
  std::vector<std::string> seriesMetrics;
};

/// Everything about a run except its pipeline and the points of its series.
struct RunDetails {
  RunSummary summary;
  std::string notes;
  std::string engineVersion;
  std::vector<SettingRecord> settings;
  std::vector<KeyValue> environment;
  std::vector<FigureRecord> figures;
  std::vector<RepeatRecord> repeats;
  /// The repeats belong to blocks of a comparison or are trials of a search: all of them count
  /// (countedRepeats in core/metrics/disturbance.h).
  bool inBlocks = false;
  std::vector<FailureRecord> failures;  ///< the first failures; summary.failedSamples counts all
  /// Parts that cannot be read because the file is damaged: "settings", "windows of repeat 2". The
  /// rest is complete.
  std::vector<std::string> unreadable;
};

/// Runs that were measured together in interleaved blocks (docs/reference/verdict.md): repeat k of
/// each run belongs to block k, if all of them have it.
struct ComparisonRecord {
  std::int64_t id = 0;           ///< valid only for the store that returned it
  std::vector<RunNumber> sides;  ///< without deleted ones
  std::uint64_t seed = 0;        ///< for the order within the blocks
  double warmupSeconds = 0;
  double seconds = 0;
  std::int64_t blocks = 0;      ///< number of blocks to measure first
  std::int64_t moreBlocks = 0;  ///< more blocks, if the first do not decide
  /// Disturbed blocks that were measured again and are not stored.
  std::int64_t replacedBlocks = 0;
};

/// A setting that a search (a sweep or the tuner) tries. An experiment has at most one search.
enum class TrialState : std::uint8_t { Waiting, Running, Finished, Failed };
std::string_view nameOf(TrialState state);
struct TrialRecord {
  std::int64_t position = 0;     ///< within the search, from 0
  std::string settings;          ///< "workers.count=2 batch.size=32"
  std::optional<RunNumber> run;  ///< set once it has begun, unless the run was deleted
  TrialState state = TrialState::Waiting;
  std::string reason;           ///< if Failed
  std::optional<double> value;  ///< the figure that is optimised, such as samples/s
};

/// An experiment that is a search.
struct SearchSummary {
  std::string experiment;
  std::vector<TrialRecord> trials;  ///< by position
};

}  // namespace millrace
