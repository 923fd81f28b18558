// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"
#include "core/monitor/gpu/gpu_values.h"
#include "core/monitor/traffic.h"
#include "core/spec/problem.h"
#include "core/store/run_record.h"

namespace millrace {

// The events of a run as value types (docs/reference/event-stream.md), for writers and readers. A
// key that is missing or has another type leaves its value empty: later minor versions add keys,
// and readers must go on without them.

struct HelloEvent {
  std::string version;  ///< version of the format, "1.0"
  std::string engine;   ///< version of the writing program
};

struct PlanEvent {
  struct Stage {
    std::string id;
    std::uint64_t threads = 0;
    bool onConsumer = false;
    std::string unit;   ///< `batch` or `sample`
    std::string order;  ///< `ready` or `strict`
    std::vector<std::string> nodes;
    std::vector<std::vector<std::string>> fused;
  };
  struct Queue {
    std::string id;
    std::string from;
    std::string to;
    std::string unit;
    std::uint64_t capacity = 0;
    std::uint64_t slotCount = 0;   ///< batches that memory is allocated for
    std::uint64_t batchBytes = 0;  ///< 0 if fields take memory as needed
  };
  struct Node {
    std::string id;
    std::string kind;
    std::string out;  ///< its output stream, as text for users
  };
  std::vector<std::string> order;
  std::vector<Stage> stages;
  std::vector<Queue> queues;
  std::vector<Node> nodes;
  std::vector<std::string> text;
};

struct SnapshotEvent {
  struct Node {
    std::string id;
    std::uint64_t items = 0;
    std::uint64_t failed = 0;
    std::uint64_t bytesOut = 0;
    std::optional<double> busySeconds;
    std::optional<double> meanMs;
  };
  struct Queue {
    std::string id;
    std::uint64_t fill = 0;
    std::uint64_t batches = 0;
    double seconds = 0;
    double emptySeconds = 0;
    double fullSeconds = 0;
    std::optional<double> fillSeconds;  ///< integral of the fill over time
  };
  struct Core {
    std::uint64_t core = 0;
    double busySeconds = 0;
    double totalSeconds = 0;
  };
  std::string runId;  ///< empty if the run is not recorded
  RunPhase phase;
  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  std::uint64_t failedSamples = 0;
  std::uint64_t readBytes = 0;
  double stepSeconds = 0;
  double cpuSeconds = 0;
  std::optional<std::uint64_t> rssBytes;
  FlowTotals flows;
  std::uint64_t droppedSnapshots = 0;
  std::optional<GpuFigures> accelerator;  ///< the GPU now; nullopt if no GPU is monitored
  std::vector<Node> nodes;
  std::vector<Queue> queues;
  std::vector<Core> cores;
};

/// What the store gets of a run that begins, for a program that keeps the run itself.
struct RecordEvent {
  std::string document;  ///< the pipeline, with absolute paths
  std::vector<SettingRecord> settings;
  std::vector<std::pair<std::string, std::string>> environment;
};

/// The report for users of a run that another program asked for.
struct PageEvent {
  std::string text;
};

/// A repeat waits for inter-core latency to settle; at most `secondsLeft` of the phase.
struct WaitingEvent {
  RunPhase phase;
};

struct WindowEvent {
  std::size_t repeat = 0;  ///< from 0
  RateWindow window;
};

/// A repeat waits for the request `start`.
struct ReadyEvent {
  std::size_t repeat = 0;  ///< from 0
};

/// A repeat has ended.
struct RepeatEvent {
  std::size_t repeat = 0;  ///< from 0
  SpanFigures figures;
};

struct ProblemEvent {
  Problem problem;
  /// Name of the failed sample, if one failed, and the number of failed samples so far.
  std::optional<std::string> sample;
  std::uint64_t failedSamples = 0;
};

struct ProgressEvent {
  std::uint64_t done = 0;
  std::uint64_t of = 0;
  std::optional<double> secondsLeft;
  std::string what;  ///< what is done next; may be empty
};

/// A block of a comparison has ended.
struct BlockEvent {
  bool disturbed = false;
  bool replaced = false;      ///< it does not count and is measured again
  std::string disturbance;    ///< what disturbed it; empty: nothing did
  std::vector<double> rates;  ///< samples/s of each side; 0 if not known
};

struct ResultEvent {
  std::string runId;
  std::string pipeline;
  RunResult result;
  std::string json;  ///< the whole object as received
};

struct AnswerEvent {
  std::int64_t id = 0;
  bool ok = false;
  std::string error;
};

}  // namespace millrace
