// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/plan.h"
#include "core/measure/run_result.h"
#include "core/run/slowest_samples.h"

namespace millrace {

/// What an executor of this plan returned, with the names of samples and nodes.
SlowestFigures slowestFigures(const Plan& plan, const SlowestSamples::List& list);

}  // namespace millrace
