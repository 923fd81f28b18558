// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// Runs that begin within this time after the one before ended were measured in one sitting: what
/// drifts from sitting to sitting (clocks, placement, neighbours) they share.
inline constexpr std::chrono::minutes kSittingPause{10};

/// Mean samples/s of each sitting, the oldest first, of those `candidates` that were measured as
/// `run` was: the same pipeline and settings, the same conditions, finished. The run counts itself,
/// whether it is among them or not.
std::vector<double> sittingRates(const KeptRun& run, std::span<const KeptRun> candidates,
                                 const Catalog& catalog);

}  // namespace millrace
