// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/run_counters.h"

namespace millrace {

/// What can limit a run (docs/reference/limits.md).
enum class LimitKind : std::uint8_t {
  Decode,
  Augmentation,
  Work,  ///< work of the region in several nodes whose shares the counters do not show
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
  EpochStart,  ///< of a user's own loader: waiting for the first batches of epochs
  PassingOn,   ///< of a user's own loader: between its workers and the program
  None
};
/// `cold_storage`.
std::string_view nameOf(LimitKind kind);

enum class Confidence : std::uint8_t { Yes, Likely, CannotTell };
/// `yes`, `likely`, `cannot tell`.
std::string_view nameOf(Confidence confidence);

/// A figure that supports a finding: its name, its value and its meaning.
struct LimitEvidence {
  std::string metric;  ///< metric id of core/metrics if there is one: "queue.empty_share"
  double value = 0;
  std::string meaning;  ///< a sentence that contains the figure
};

struct LimitCause {
  LimitKind kind = LimitKind::None;
  std::string node;  ///< empty if the cause is not a node
  /// Share (0 to 1) of the limiting resource (the region's work, the cores, the time) that this
  /// cause takes. Causes are ordered by it. Removing the cause could gain at most 1 / (1 - share)
  /// - 1.
  double share = 0;
  std::vector<LimitEvidence> evidence;
  /// For Work: the other nodes, which run fused with `node` or take about as much time.
  std::vector<std::string> with = {};
};

/// What limits a run, or why that is not known.
struct LimitFinding {
  Confidence confidence = Confidence::CannotTell;
  LimitCause limit;                      ///< not valid for CannotTell
  std::vector<LimitCause> also;          ///< other causes by share; for CannotTell the candidates
  std::vector<LimitEvidence> evidence;   ///< for CannotTell: the reason
  std::string decides;                   ///< what would decide; empty if decided or nothing would
  std::vector<std::string> notMeasured;  ///< what the counters do not cover, one sentence each
};

/// Thresholds of the rules, from docs/reference/limits.md where it names one.
inline constexpr double kQueueShare = 0.8;  ///< share of the time that a queue is empty, or full
inline constexpr double kStepShare = 0.95;
inline constexpr double kWorthShare = 0.03;  ///< a smaller share is not reported as a limit

/// Applies the rules of docs/reference/limits.md to the counters of a run. Pure. The queue of
/// finished batches shows on which side the limit is, as in LiveLimit. The cause on that side is
/// one of:
///  step            the step is busy at least 95 % of the time
///  queue_too_short both the consumer and the workers wait at times. If the workers never wait, or
///                  a batch takes less than 0.2 ms, the rules for an empty queue apply instead
///  heavy_tail      finished batches wait for one unfinished sample while workers wait
///  failures        at least a fifth of the samples is lost
///  other_process   no core is idle and other processes take at least a fifth of the cores
///  workers_too_few the region is busy and a core is idle
///  read, decode, augmentation, batching, per_record: the largest share of the region's time;
///                  read becomes cold_storage if the threads wait for storage and the data was not
///                  in the page cache. Time outside the nodes is per_record if a sample takes less
///                  than 50 us and copying does not explain it; so is the time of a source that
///                  takes less than 1 us for each sample
///  none            no change upstream of the consumer could gain 3 %
///  work            as the largest share, but several nodes share it: their shares are within 5
///                  points of each other, or nodes of several kinds run fused
/// A single run is certain of `step` only; `confirm` in differential.h adds the results of runs
/// with parts left out.
LimitFinding findLimit(const RunCounters& counters);

/// Whether the threads that read are off their cores for much of their busy time although a core is
/// free: they wait for storage.
bool waitsForStorage(const RunCounters& counters);

/// "decoding in `decode`", "too few workers".
std::string titleOf(const LimitCause& cause);
/// "likely limit: decoding in `decode`", "the limit could not be determined".
std::string limitOf(const LimitFinding& finding);
/// The same, followed by what would decide if the limit is unknown, or for Work by what would tell
/// its nodes apart.
std::string headlineOf(const LimitFinding& finding);

}  // namespace millrace
