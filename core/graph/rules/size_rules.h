// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports arrays that enter a batch in different sizes and that no later node, on the CPU or on a
/// device, brings to one size. Encoded files may differ, and numbers of objects. Also reports nodes
/// that work on single samples after samples were padded to the largest of their batch.
void checkSizes(const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
