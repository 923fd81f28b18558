// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analyse/run_counters.h"
#include "core/graph/plan.h"
#include "core/run/run_result.h"

namespace millrace {

/// What the counters of a run do not hold, and the environment of a run does.
struct RunSurroundings {
  std::optional<double> cores;          ///< that the process may use
  std::optional<double> residentShare;  ///< of the data, in the page cache before the run
};
/// From `cores_usable` and `page_cache_resident_share`, as core/monitor and the program write them.
RunSurroundings surroundingsOf(const std::vector<std::pair<std::string, std::string>>& environment);

/// Bytes of one sample of a stream; absent where a field is encoded or its size not known.
std::optional<double> sampleBytesOf(const StreamType& stream);

/// The figures of a run of `plan`, of all its repeats, as `findLimit` reads them. No repeats: no
/// counters.
RunCounters countersOf(const Plan& plan, const std::vector<SpanFigures>& repeats,
                       const RunSurroundings& surroundings);

}  // namespace millrace
