// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/bottleneck.h"

namespace millrace {

// What a pipeline's speed says when a part of it is left out or changed: the differential runs of
// DS-Analyzer (Mohan et al., "Analyzing and mitigating data stalls in DNN training", VLDB 2021),
// with a cut behind decoding and one in front of the consumer besides. Pure.

enum class Probe : std::uint8_t {
  AsItIs,
  SourceAlone,  ///< read and batched, nothing else
  ToDecode,     ///< up to the first node from decoding on whose pictures have one size
  ToBatch,      ///< nothing behind the batch
  WithoutStep,  ///< the consumer drains
  MoreReaders,  ///< the source alone, by twice as many threads
  FromMemory,   ///< encoded samples come from memory
  FromCache,    ///< samples come from memory where the advised cache would stand
  NodesApart,   ///< nothing is fused; for its counters alone
  AsItIsAgain,  ///< in the blocks of the next
  Advised       ///< with the first advice applied
};
/// `as it is`, `source alone`, `to decode`, `to batch`, `without step`, `more readers`,
/// `from memory`, `from cache`, `nodes apart`, `as it is, again`, `as advised`.
std::string_view nameOf(Probe probe);

struct ProbeResult {
  Probe probe = Probe::AsItIs;
  std::vector<double> rates;  ///< samples/s, one a block; the same blocks for all but the last two
  RunCounters counters;       ///< of all blocks
  std::string cacheBehind = {};  ///< of the runs from memory: the node in front of it
};
/// nullptr where it was not run.
const ProbeResult* probeNamed(const std::vector<ProbeResult>& probes, Probe probe);

/// Geometric mean of rate over rate, block by block; absent without two that can be compared.
struct RateRatio {
  double mean = 1;
  double least = 1;  ///< of the blocks
  double most = 1;
};
std::optional<RateRatio> ratioOf(const ProbeResult* rates, const ProbeResult* over);

/// What the probes show of changes that were not made yet.
struct ProbedGains {
  /// A memory cache behind a node, filled, over the pipeline as it is.
  struct Cache {
    std::string behind;
    RateRatio ratio;
  };
  std::optional<RateRatio> moreReaders;  ///< the source alone: twice the threads over as many
  std::vector<Cache> caches;
  /// What samples of the pipeline as it is took in the workers' nodes, in the order in which they
  /// were begun. Empty: not known.
  std::vector<double> sampleSeconds;
};
/// Its `sampleSeconds` are left empty: rates say nothing of them.
ProbedGains gainsOf(const std::vector<ProbeResult>& probes);

/// Below, twice the readers get no more: storage has no more bandwidth.
inline constexpr double kMoreFromReaders = 1.15;

/// The counters as they are, with the time of fused nodes shared out among them: up to the cut of
/// `toDecode` by what that run's nodes took for a sample, the rest by what the nodes took alone in
/// `apart`. Nodes that neither tells of stay fused. Both may be nullptr.
RunCounters sharedOut(RunCounters counters, const RunCounters* apart, const RunCounters* toDecode);

/// What a batch's time goes to, seen from the consumer; seconds. The parts add up to
/// `batchSeconds`.
struct StallSplit {
  double batchSeconds = 0;
  std::optional<double> fetch;     ///< waiting for data that is still to be read
  std::optional<double> prepare;   ///< waiting for the rest of the loader's work
  std::optional<double> transfer;  ///< absent without a device
  std::optional<double> step;      ///< absent without a step
  /// The run from memory split fetching from preparing; else the source's share of the work did.
  bool fetchByRun = false;
};
/// Absent when nothing was measured as it is.
std::optional<StallSplit> stallSplitOf(const std::vector<ProbeResult>& probes);

/// `finding`, of the run as it is, with what the probes add: sure where a run shows that the time
/// goes when the cause does, open where a run contradicts it.
LimitFinding confirm(LimitFinding finding, const std::vector<ProbeResult>& probes);

}  // namespace millrace
