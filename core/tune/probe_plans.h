// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analyse/advice.h"
#include "core/analyse/differential.h"
#include "core/graph/plan.h"

namespace millrace {

/// A pipeline with a part left out, and what that is in words: "up to resize, then drained".
struct ProbePlan {
  Probe probe = Probe::AsItIs;
  Plan plan;
  std::string what;
  std::string cacheBehind = {};  ///< of the runs from memory: the node in front of it
};

struct ProbePlans {
  std::vector<ProbePlan> plans;  ///< those that say something, the pipeline as it is not among them
  std::vector<std::string> leftOut;  ///< probes that cannot be made, a sentence each
};

struct ProbeOptions {
  bool fuse = true;
  /// Samples that the run from memory keeps, the first ones of the source; all where there are no
  /// more.
  std::int64_t memorySamples = 2000;
  double memoryBytes = 1e9;  ///< that it may take
  /// Threads wait for storage: whether more of them read more.
  bool moreReaders = false;
  std::optional<CachePoint> cache = {};  ///< that may be advised
};

/// The probes of a pipeline with an open source. A probe that would be the pipeline itself (a run
/// to the batch where nothing lies behind it) is not made. Pipelines that have a cache of their own
/// are not cut: only their consumer is replaced.
ProbePlans probePlans(const Plan& asItIs, const ProbeOptions& options);

/// The latest place in front of every draw, and of the batch, where all samples together take at
/// most `memoryBytes`. `encodedBytes`: of one sample as it is read, where that is known.
std::optional<CachePoint> cachePointOf(const Plan& plan, double memoryBytes,
                                       std::optional<double> encodedBytes);

/// Nodes of geometry behind colour nodes, which could go in front of them.
std::vector<MovePoint> movePointsOf(const Plan& plan);

}  // namespace millrace
