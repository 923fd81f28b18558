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

// What the store keeps of a run, as plain values: the store knows neither engine nor graph, whoever
// owns a run maps its own structs to these. Absent is nullopt, never 0. Times within a repeat are
// seconds since that repeat began, its warm-up included.

/// The number that people see and type; unique within one store, never used again.
enum class RunNumber : std::int64_t {};
/// A repeat's row; means something to the store that gave it alone.
enum class RepeatId : std::int64_t {};

/// Interrupted: the writer died, or the person stopped the run (the reason says which).
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

/// Facts of a run's environment that take it out of verdicts (CONTRACT §10): its parameters were
/// changed while it ran ("node.param=value, ..."), or every sample was timed for a trace ("yes").
inline constexpr std::string_view kLiveChangesFact = "live_changes";
inline constexpr std::string_view kTracedFact = "traced";
/// How many processes ran it at the same time; absent: one.
inline constexpr std::string_view kRanksFact = "ranks";

/// What is known when a run begins.
struct NewRun {
  std::string experiment = "default";
  std::string name;
  std::string notes;
  std::vector<std::string> tags;
  std::string pipelineName;  ///< the file or example that was run
  std::string pipelineJson;
  std::string engineVersion;
  std::vector<SettingRecord> settings;  ///< all of them, defaults included
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

/// A line of `runs list`.
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
  std::int64_t repeats = 0;  ///< those begun
  std::int64_t failedSamples = 0;
  /// Of the run; of an unfinished one, of the windows it had.
  std::optional<double> samplesPerSecond;
  std::optional<double> ci95Low;  ///< interval of that rate, where the run has one
  std::optional<double> ci95High;
  bool baseline = false;
  std::vector<SqlValue> cells;  ///< of RunQuery::columns, in their order; of a list alone
};

struct RepeatRecord {
  RepeatId id{};
  std::int64_t index = 0;  ///< from 0
  bool finished = false;
  std::vector<FigureRecord> figures;
  std::vector<WindowRecord> windows;
  std::vector<NodeRecord> nodes;
  std::vector<QueueRecord> queues;
  std::vector<std::string> seriesMetrics;
};

/// All of a run but its pipeline and the points of its series.
struct RunDetails {
  RunSummary summary;
  std::string notes;
  std::string engineVersion;
  std::vector<SettingRecord> settings;
  std::vector<KeyValue> environment;
  std::vector<FigureRecord> figures;
  std::vector<RepeatRecord> repeats;
  std::vector<FailureRecord> failures;  ///< the first of them; summary.failedSamples counts all
  /// What could not be read because the file is damaged: "settings", "windows of repeat 2". The
  /// rest is whole.
  std::vector<std::string> unreadable;
};

/// Runs that were measured together, in interleaved blocks (CONTRACT §8): repeat k of each is its
/// part of block k, where all of them have it.
struct ComparisonRecord {
  std::int64_t id = 0;           ///< means something to the store that gave it alone
  std::vector<RunNumber> sides;  ///< without deleted ones
  std::uint64_t seed = 0;        ///< of the order within the blocks
  double warmupSeconds = 0;
  double seconds = 0;
  std::int64_t blocks = 0;      ///< that were to be measured first
  std::int64_t moreBlocks = 0;  ///< and on top, if those left it open
  /// Disturbed blocks that were measured again and are not kept.
  std::int64_t replacedBlocks = 0;
};

/// One setting that a search (a sweep, the tuner) tries. An experiment has one search at most.
enum class TrialState : std::uint8_t { Waiting, Running, Finished, Failed };
std::string_view nameOf(TrialState state);
struct TrialRecord {
  std::int64_t position = 0;     ///< within the search, from 0
  std::string settings;          ///< "workers.count=2 batch.size=32"
  std::optional<RunNumber> run;  ///< once it was begun, unless that run was deleted
  TrialState state = TrialState::Waiting;
  std::string reason;           ///< of Failed
  std::optional<double> value;  ///< what is searched for: samples/s
};

/// An experiment that is a search.
struct SearchSummary {
  std::string experiment;
  std::vector<TrialRecord> trials;  ///< by position
};

}  // namespace millrace
