// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/stream/run_events.h"
#include "core/graph/plan.h"
#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"
#include "core/spec/problem.h"

namespace millrace {

/// What a result or an event says about the run besides its figures.
struct RunIdentity {
  std::string runId;     ///< number in the store; empty if not recorded
  std::string pipeline;  ///< file or example name as given
};

// Keys that several results have.
inline constexpr const char* kFormatVersionKey = "format_version";
inline constexpr const char* kRunIdKey = "run_id";
inline constexpr const char* kPipelineKey = "pipeline";
inline constexpr const char* kOutcomeKey = "outcome";
inline constexpr const char* kReasonKey = "reason";

/// `finished`, `failed`, `interrupted`.
std::string_view nameOf(RunOutcome outcome);

/// The object that `--json` prints (docs/reference/command-line.md): keys sorted, absent values
/// null, one line or indented. Text that is not UTF-8 gets U+FFFD.
std::string resultJson(const RunResult& result, const RunIdentity& identity, bool indented);

/// Lines of the event stream (docs/reference/event-stream.md) without the newline. `time`:
/// monotonic clock in seconds, the same clock in all events of a stream.
inline constexpr int kEventFormatMajor = 1;
inline constexpr int kEventFormatMinor = 0;
std::string helloEvent(double time, const std::string& engineVersion);
PlanEvent planEventOf(const Plan& plan);
std::string planEvent(double time, const PlanEvent& plan);
std::string planEvent(double time, const Plan& plan);
std::string phaseEvent(double time, const RunPhase& phase);
std::string waitingEvent(double time, const RunPhase& phase);
/// `plan` has the ids of the nodes and queues whose totals the snapshot has.
std::string snapshotEvent(double time, const PlanEvent& plan, const RunSnapshot& snapshot,
                          const RunIdentity& identity, std::uint64_t droppedSnapshots);
/// A repeat is ready and waits for the request `start` (`--await-start`).
std::string readyEvent(double time, std::size_t repeat);
/// A repeat has ended with these figures.
std::string repeatEvent(double time, std::size_t repeat, const SpanFigures& figures);
std::string windowEvent(double time, std::size_t repeat, const RateWindow& window);
std::string problemEvent(double time, const Problem& problem);
std::string failureEvent(double time, const FailedSample& failure, std::uint64_t total);
/// `secondsLeft` is absent while it is not known. `what`: what is done next; may be empty.
std::string progressEvent(double time, std::uint64_t done, std::uint64_t of,
                          std::optional<double> secondsLeft, const std::string& what = {});
/// The time for `missing` units of work, of which `done` took `seconds`. Absent if none is done.
std::optional<double> secondsFor(std::uint64_t missing, std::uint64_t done, double seconds);
/// A block of a comparison has ended.
std::string blockEvent(double time, const BlockEvent& event);
std::string resultEvent(double time, const RunResult& result, const RunIdentity& identity);
/// `json`: the object of a result.
std::string resultEvent(double time, const std::string& json);
/// What the store gets of a run.
std::string recordEvent(double time, const RecordEvent& event);
/// The report of a run for users.
std::string pageEvent(double time, const std::string& text);
/// A line of a stream whose run is kept by this program: `run_id` is that of the store here, if the
/// event has one. Unchanged if it is not a JSON object.
std::string lineOfRun(std::string_view line, const std::string& runId);
/// Answer to a request on standard input; an empty `error` means success.
std::string answerEvent(double time, std::int64_t id, const std::string& error);

/// The plan as printed by `millrace check --json`.
std::string planJson(const Plan& plan, bool indented);
std::string problemsJson(const std::vector<Problem>& problems, bool indented);

}  // namespace millrace
