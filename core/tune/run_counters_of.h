// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/run_counters.h"
#include "core/graph/plan.h"
#include "core/measure/run_result.h"

namespace millrace {

/// What the counters of a run do not include but its environment does.
struct RunSurroundings {
  std::optional<double> cores;          ///< cores that the process may use
  std::optional<double> residentShare;  ///< share of the data in the page cache before the run
};
/// From the environment entries `cores_usable` and `page_cache_resident_share`.
RunSurroundings surroundingsOf(const std::vector<std::pair<std::string, std::string>>& environment);

/// Bytes of a sample of the stream; nullopt if a field is encoded or its size is not known.
std::optional<double> sampleBytesOf(const StreamType& stream);

/// The figures of all repeats of a run of `plan`, in the form that `findLimit` reads. Empty if
/// there are no repeats.
RunCounters countersOf(const Plan& plan, const std::vector<SpanFigures>& repeats,
                       const RunSurroundings& surroundings);

}  // namespace millrace
