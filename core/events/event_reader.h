// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/run/run_observer.h"
#include "core/run/run_result.h"
#include "core/spec/problem.h"

namespace millrace {

// The events of a stream as plain values (core/events/README.md). What a line does not say, or says
// in another type, is empty here: later minor versions add keys, and a reader goes on without them.

struct HelloEvent {
  std::string version;  ///< of the format, "1.0"
  std::string engine;   ///< version of the program that writes
};

struct PlanEvent {
  struct Stage {
    std::string id;
    std::uint64_t threads = 0;
    bool onConsumer = false;
    std::vector<std::string> nodes;
    std::vector<std::vector<std::string>> fused;
  };
  struct Queue {
    std::string id;
    std::string from;
    std::string to;
    std::string unit;
    std::uint64_t capacity = 0;
  };
  struct Node {
    std::string id;
    std::string kind;
    std::string out;  ///< the stream behind it, for a person
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
  };
  struct Core {
    std::uint64_t core = 0;
    double busySeconds = 0;
    double totalSeconds = 0;
  };
  std::string runId;  ///< empty: the run is not kept
  RunPhase phase;
  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  std::uint64_t failedSamples = 0;
  std::uint64_t readBytes = 0;
  double stepSeconds = 0;
  double cpuSeconds = 0;
  std::optional<std::uint64_t> rssBytes;
  std::uint64_t droppedSnapshots = 0;
  std::optional<GpuFigures> accelerator;  ///< the GPU now; nothing where none is watched
  std::vector<Node> nodes;
  std::vector<Queue> queues;
  std::vector<Core> cores;
};

/// A repeat waits for the cores; `secondsLeft` of the phase at most.
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
  /// Name of the sample when one has failed, and how many have by now.
  std::optional<std::string> sample;
  std::uint64_t failedSamples = 0;
};

struct ProgressEvent {
  std::uint64_t done = 0;
  std::uint64_t of = 0;
  std::optional<double> secondsLeft;
};

struct ResultEvent {
  std::string runId;
  std::string pipeline;
  RunResult result;
  std::string json;  ///< the whole object as it came
};

struct AnswerEvent {
  std::int64_t id = 0;
  bool ok = false;
  std::string error;
};

/// Of a later minor version: to be ignored.
struct UnknownEvent {
  std::string name;
};

struct StreamEvent {
  double time = 0;  ///< monotonic clock of the writer, seconds
  std::variant<UnknownEvent, HelloEvent, PlanEvent, WaitingEvent, ReadyEvent, RunPhase,
               SnapshotEvent, WindowEvent, RepeatEvent, ProblemEvent, ProgressEvent, ResultEvent,
               AnswerEvent>
      content;
};

/// Reads the lines of one stream. An error is a sentence about the line, and concerns it alone,
/// except that a stream whose `hello` has another major version is refused from then on. One
/// thread; never throws; takes no memory on a line's word.
class EventReader {
 public:
  /// `line` without its newline.
  Result<StreamEvent> read(std::string_view line);
  /// The stream's hello, once it came.
  const std::optional<HelloEvent>& hello() const { return m_hello; }
  /// Whether the stream is of another major version: nothing of it will be read.
  bool refused() const { return m_refused.has_value(); }

 private:
  Status greet(const HelloEvent& hello);

  std::optional<HelloEvent> m_hello;
  std::optional<Error> m_refused;
};

}  // namespace millrace
