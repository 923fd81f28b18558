// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/advice.h"
#include "core/analysis/bottleneck.h"
#include "core/measure/run_result.h"
#include "core/tune/sweep/vary.h"

namespace millrace {

// The events of a sweep and of a tuning as value types (docs/reference/event-stream.md). Texts that
// may be absent are empty.

/// What a sweep will measure; with the repeats that a continued one already has.
struct SweepEvent {
  struct Trial {
    std::uint64_t trial = 0;
    std::map<std::string, Value> settings;  ///< by parameter: "workers.count"
    bool current = false;                   ///< the setting in the document
    bool designed = true;                   ///< false: the current setting, added to the design
    std::string runId;
    std::string reason;  ///< why it failed
    std::vector<std::optional<double>> rates;
  };
  std::string experiment;
  std::uint64_t repeats = 1;  ///< of each setting
  std::vector<SweepAxis> axes;
  std::vector<Trial> trials;
};

/// The limits of a tuning.
struct TuneLimits {
  std::optional<std::uint64_t> memoryBytes;
  std::optional<std::uint64_t> cores;
  std::string keptOnCores;  ///< the cores that trials are restricted to
};

/// A tuning begins.
struct TuneEvent {
  std::string experiment;
  std::string goal;  ///< name of a TuneGoal
  std::optional<double> budgetSeconds;
  bool replay = false;
  TuneLimits limits;
};

/// An axis of a tuning, with its levels as texts.
struct TuneAxisRecord {
  std::string name;
  std::vector<std::string> levels;
  std::string current;
  SampleChange changes = SampleChange::Nothing;
};

/// What a tuning may change; its search begins.
struct TuneSpaceEvent {
  std::optional<LimitFinding> limit;  ///< only kind, node and confidence
  std::vector<TuneAxisRecord> axes;
};

struct TuneEndedEvent {
  std::optional<std::uint64_t> best;
  std::string stoppedBecause;
};

struct TrialBegunEvent {
  /// Only in a tuning, because a sweep's settings are known.
  struct Tuned {
    std::map<std::string, std::string> settings;
    std::vector<Advice> edits;  ///< of the unmodified pipeline
    bool replayed = false;      ///< taken from a kept tuning
  };
  std::optional<std::uint64_t> trial;
  std::uint64_t repeat = 0;         ///< from 1
  std::uint64_t done = 0;           ///< trials before this one
  std::optional<std::uint64_t> of;  ///< trials in total; a tuning does not know
  std::optional<double> secondsLeft;
  std::string runId;
  std::optional<Tuned> tuned;  ///< a reader always sets it
};

struct TrialEndedEvent {
  enum class State : std::uint8_t { Measured, Replaced, Failed, OverLimit };
  /// Only in a tuning.
  struct Tuned {
    bool replayed = false;  ///< taken from a kept tuning
    std::optional<double> cores;
    std::optional<std::uint64_t> peakRssBytes;
    std::optional<double> gain;  ///< of the goal, against the unmodified pipeline
    std::optional<double> goalValue;
    std::optional<std::uint64_t> best;
    std::optional<double> bestGain;
  };
  std::optional<std::uint64_t> trial;
  std::uint64_t repeat = 0;
  std::optional<State> state;  ///< absent: a state of a later minor version
  std::string reason;
  std::optional<double> rate;    ///< of this repeat
  RateFigures samplesPerSecond;  ///< over all repeats of the setting
  std::optional<Tuned> tuned;    ///< a reader always sets it
};
/// `measured`, `replaced`, `failed`, `over_limit`.
std::string_view nameOf(TrialEndedEvent::State state);

// Lines of the event stream without the newline. `time`: as in event_json.h.
std::string eventLine(double time, const SweepEvent& event);
std::string eventLine(double time, const TuneEvent& event);
std::string eventLine(double time, const TuneSpaceEvent& event);
std::string eventLine(double time, const TrialBegunEvent& event);
std::string eventLine(double time, const TrialEndedEvent& event);
std::string eventLine(double time, const TuneEndedEvent& event);

}  // namespace millrace
