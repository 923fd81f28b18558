// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/measure/run_result.h"
#include "core/spec/problem.h"

namespace millrace {

/// What the run's decode nodes left out of the pictures, each once with its count: "37 pictures of
/// 800 samples have several pages: the first one is used".
std::vector<Problem> reductionWarnings(const RunResult& result);

}  // namespace millrace
