// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/analysis/shuffle_quality.h"
#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/spec/problem.h"

namespace millrace {

/// How well the first epoch of a plan with open data is shuffled. Completes the scan of the source,
/// which can take minutes, but reads no sample. The source's order is by index, one copy of all
/// samples after the other. Classes are those of Source::labelOf. The error says why there is no
/// sample.
Result<ShuffleQuality> orderQuality(const Plan& plan);

/// The same for the figures of a run, where it must not take long: nullopt if it cannot be
/// computed, if the data is not listed yet, if an order node has to read samples, or if the source
/// has more than two million of them.
std::optional<ShuffleQuality> orderFigures(const Plan& plan);

/// A warning, if the order is not that of the source and its classes still come in blocks.
std::optional<Problem> orderProblem(const ShuffleQuality& quality, const Plan& plan);

}  // namespace millrace
