// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/bottleneck.h"

namespace millrace {

// What the rates of a pipeline with parts left out or changed show. These are the differential runs
// of DS-Analyzer (Mohan et al., "Analyzing and mitigating data stalls in DNN training", VLDB 2021),
// with two more cuts: after decoding and before the consumer. Pure.

enum class Probe : std::uint8_t {
  Baseline,
  SourceAlone,    ///< reading and batching only
  ToDecode,       ///< up to the first node, from decoding on, whose pictures have one size
  ToBatch,        ///< no nodes after the batch
  WithoutStep,    ///< the consumer is `drain`
  MoreReaders,    ///< the source alone, with twice as many threads
  FromMemory,     ///< encoded samples come from memory
  FromCache,      ///< samples come from memory at the place of the advised cache
  NodesApart,     ///< no nodes are fused; only its counters are used
  BaselineAgain,  ///< the baseline, in the same blocks as `Advised`
  Advised         ///< with the first advice applied
};
/// `baseline`, `source alone`, `to decode`, `to batch`, `without step`, `more readers`, `from
/// memory`, `from cache`, `nodes apart`, `baseline, again`, `as advised`.
std::string_view nameOf(Probe probe);

struct ProbeResult {
  Probe probe = Probe::Baseline;
  std::vector<double> rates;    ///< samples/s by block; the last two probes have their own blocks
  RunCounters counters;         ///< over all blocks
  std::string cacheAfter = {};  ///< for runs from memory: the node before the cache
};
/// nullptr if the probe was not run.
const ProbeResult* probeNamed(const std::vector<ProbeResult>& probes, Probe probe);

/// Geometric mean over the blocks of one rate divided by another; nullopt without a block in which
/// both were measured.
struct RateRatio {
  double mean = 1;
  double least = 1;  ///< smallest ratio of a block
  double most = 1;   ///< largest ratio of a block
};
std::optional<RateRatio> ratioOf(const ProbeResult* rates, const ProbeResult* over);

/// What the probes show about changes that have not been made yet.
struct ProbedGains {
  /// A filled memory cache after a node, compared with the baseline.
  struct Cache {
    std::string after;
    RateRatio ratio;
  };
  /// The source alone with twice the threads, against the same number.
  std::optional<RateRatio> moreReaders;
  std::vector<Cache> caches;
  /// Time that successive samples of the baseline took in the workers' nodes, in the order in which
  /// they were started. Empty if not known.
  std::vector<double> sampleSeconds;
};
/// Everything except `sampleSeconds`, which rates do not show.
ProbedGains gainsOf(const std::vector<ProbeResult>& probes);

/// Below this gain from twice the readers, storage is taken to have no more bandwidth.
inline constexpr double kMoreFromReaders = 1.15;

/// The counters with the time of fused nodes divided among them. Nodes that are in the `toDecode`
/// run get the time that they took there for a sample; the others share the rest in proportion to
/// their times in `apart`. Nodes that are in neither stay fused. Both may be nullptr.
RunCounters sharedOut(RunCounters counters, const RunCounters* apart, const RunCounters* toDecode);

/// Where the time of a batch goes, as the consumer sees it; in seconds. The parts add up to
/// `batchSeconds`.
struct StallSplit {
  double batchSeconds = 0;
  std::optional<double> fetch;     ///< waiting for data to be read
  std::optional<double> prepare;   ///< waiting for the rest of the loader's work
  std::optional<double> transfer;  ///< absent without a device
  std::optional<double> step;      ///< absent without a step
  /// True if a run from memory separated fetch from prepare; else the source's share of the work
  /// did.
  bool fetchByRun = false;
};
/// nullopt if there is no baseline.
std::optional<StallSplit> stallSplitOf(const std::vector<ProbeResult>& probes);

/// `finding` (of the baseline) with the results of the probes. It becomes certain if a run without
/// the cause gains as much as expected, and open if a run contradicts it.
LimitFinding confirm(LimitFinding finding, const std::vector<ProbeResult>& probes);

}  // namespace millrace
