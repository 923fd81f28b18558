// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/jobs/tune/tune_task.h"
#include "core/tune/tuner/tune_outcome.h"

namespace millrace {

/// Bytes that caches may take of `room` under a memory limit (0: none), if the unmodified pipeline
/// has the figures `start`.
double memoryForCaches(double room, std::uint64_t limit, const SpanFigures& start);

/// What may be varied: by the request, and a cache if the first trial shows that there is time and
/// memory for it. Sentences about what is left out are added to `outcome`. The error names a
/// requested parameter that must not be varied.
Result<std::vector<TuneAxis>> axesOf(const TuneTask& task, const TuneSurvey& survey,
                                     TuneOutcome& outcome);

}  // namespace millrace
