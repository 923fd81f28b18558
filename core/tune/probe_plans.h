// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/advice.h"
#include "core/analysis/differential.h"
#include "core/graph/plan.h"

namespace millrace {

/// A pipeline with a part left out, and a text that describes it: "up to resize, then batched".
struct ProbePlan {
  Probe probe = Probe::Baseline;
  Plan plan;
  std::string what;
  std::string cacheAfter = {};  ///< for runs from memory: the node before the cache
};

struct ProbePlans {
  std::vector<ProbePlan> plans;      ///< the useful probes, without the baseline
  std::vector<std::string> leftOut;  ///< probes that cannot be made, one sentence each
};

struct ProbeOptions {
  bool fuse = true;
  /// Number of samples that the run from memory uses: the first ones of the source, or all if there
  /// are fewer.
  std::int64_t memorySamples = 2000;
  double memoryBytes = 1e9;  ///< memory limit of that run
  /// Threads wait for storage, so add a probe with more readers.
  bool moreReaders = false;
  std::optional<CachePoint> cache = {};  ///< place of a cache that may be advised
};

/// The probes of a pipeline whose source is open. A probe that would equal the pipeline itself
/// (such as up to the batch if nothing follows it) is not made. Pipelines that have a cache are not
/// cut; only their consumer is replaced.
ProbePlans probePlans(const Plan& baseline, const ProbeOptions& options);

/// The last place before any random draw and before the batch at which all samples together take at
/// most `memoryBytes`; nullopt if there is none. `encodedBytes`: size of a sample as read, if
/// known.
std::optional<CachePoint> cachePointOf(const Plan& plan, double memoryBytes,
                                       std::optional<double> encodedBytes);

/// Geometry nodes that follow colour nodes and could be moved before them.
std::vector<MovePoint> movePointsOf(const Plan& plan);

}  // namespace millrace
