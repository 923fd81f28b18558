// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/run_counters.h"

namespace millrace {

/// What can limit a run (CONTRACT §12).
enum class LimitKind : std::uint8_t {
  Decode,
  Augmentation,
  Read,
  ColdStorage,
  WorkersTooFew,
  WorkersTooMany,
  Batching,
  HeavyTail,
  PerRecord,
  QueueTooShort,
  Transfer,
  Device,
  Step,
  Failures,
  OtherProcess,
  None
};
/// `cold_storage`.
std::string_view nameOf(LimitKind kind);

enum class Sureness : std::uint8_t { Yes, Likely, CannotTell };
/// `yes`, `likely`, `cannot tell`.
std::string_view nameOf(Sureness sure);

/// A figure that a finding stands on: its name, its value and what that says.
struct LimitEvidence {
  std::string metric;  ///< as in core/metrics where it is one: "queue.empty_share"
  double value = 0;
  std::string meaning;  ///< a sentence with the figure in it
};

struct LimitCause {
  LimitKind kind = LimitKind::None;
  std::string node;  ///< empty where no node of the pipeline is meant
  /// Of what limits (the region's work, the cores, the time) this takes so much: 0 to 1. Orders
  /// causes; without it the run could gain at most 1 / (1 - share) - 1.
  double share = 0;
  std::vector<LimitEvidence> evidence;
};

/// What limits a run, or that it cannot be told.
struct LimitFinding {
  Sureness sure = Sureness::CannotTell;
  LimitCause limit;                      ///< means nothing where it cannot be told
  std::vector<LimitCause> also;          ///< by share; candidates where it cannot be told
  std::vector<LimitEvidence> evidence;   ///< why it cannot be told
  std::string decides;                   ///< what would settle it; empty: it is sure, or none would
  std::vector<std::string> notMeasured;  ///< what these counters leave out, a sentence each
};

/// The shares at which the rules turn. Those of CONTRACT §12 where it names one.
inline constexpr double kQueueShare = 0.8;  ///< of the time empty, or full
inline constexpr double kStepShare = 0.95;
inline constexpr double kWorthShare = 0.03;  ///< less is no limit

/// The rules of CONTRACT §12 over what was counted. Pure. The side of the finished batches' queue
/// that limits is found as LiveLimit does; there the cause is:
///  step            its own time is at least 95 %
///  queue_too_short the consumer waits at times, and the workers at others; where they never do,
///                  or a batch takes under 0.2 ms, they are the limit as with an empty queue
///  heavy_tail      finished batches stand behind one unfinished sample while workers wait
///  failures        a fifth of the samples or more is lost
///  other_process   no core is idle, and a fifth of them or more is taken by others
///  workers_too_few the region is busy and a core is idle
///  read, decode, augmentation, batching, per_record: the largest share of the region's time;
///                  read is cold_storage where it waits and the data was not in the page cache;
///                  time in no node is per_record where samples take under 50 us and copying them
///                  does not explain it; so is that of a source which takes under 1 us a sample
///  none            nothing in front of the consumer could gain 3 %
/// Two shares within 5 points of each other are not told apart, nor decoding and augmentation that
/// run as one. One run alone is sure of the step and of nothing else: `confirm` in differential.h
/// adds what runs without a part show.
LimitFinding findLimit(const RunCounters& counters);

/// The threads that read are off their cores for much of their busy time, and not for want of one.
bool waitsForStorage(const RunCounters& counters);

/// "decoding in `decode`", "too few workers".
std::string titleOf(const LimitCause& cause);
/// "limit, likely: decoding in `decode`"; where it cannot be told, what would decide.
std::string headlineOf(const LimitFinding& finding);

}  // namespace millrace
