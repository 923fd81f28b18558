// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/plan.h"

namespace millrace {

/// What makes the samples in front of node `at` what they are, besides the data: the engine, the
/// source and the nodes on the way with their parameters, and which of them run as one operation
/// (CONTRACT §6: lowering may change values). JSON for a person to read; the same pipeline gives
/// the same bytes, whatever its ids, seed, order, threads, queues, caches and parameters that
/// change speed alone. Of paths that say where the data is only those of files are in it; each file
/// is there with its stamp (formats/file_stamp.h), so that a changed list or table of colours is
/// another.
std::string madeBy(const Plan& plan, std::size_t at);

}  // namespace millrace
