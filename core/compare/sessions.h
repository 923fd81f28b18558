// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/spec/catalog.h"

namespace millrace {

/// A run belongs to the previous run's session if it starts within this time after that run ended.
/// Runs of one session share what drifts between sessions (clock speeds, memory placement, other
/// users).
inline constexpr std::chrono::minutes kSessionPause{10};

/// Mean samples/s of each session, oldest first, over the finished `candidates` with the same
/// pipeline, settings and conditions as `run`. `run` itself is included even if it is not a
/// candidate.
std::vector<double> sessionRates(const KeptRun& run, std::span<const KeptRun> candidates,
                                 const Catalog& catalog);

}  // namespace millrace
