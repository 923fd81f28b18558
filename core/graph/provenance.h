// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/plan.h"

namespace millrace {

/// Everything besides the data that determines the samples before node `at`: the engine's version,
/// the source and the nodes up to there with their parameters, and which of them are fused
/// (docs/reference/regions-and-queues.md: lowering may change values). JSON. The same pipeline
/// gives the same bytes; ids, seed, order, threads, queues, caches and parameters that only affect
/// speed do not matter. Of the paths to data only those of files are included, each with a stamp
/// (formats/file_stamp.h), so that a changed list or colour table gives a different result.
std::string provenanceOf(const Plan& plan, std::size_t at);

}  // namespace millrace
