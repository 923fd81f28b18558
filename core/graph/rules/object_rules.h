// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports nodes that would change pictures without their boxes and keypoints: geometry and mixing
/// in batches, on the CPU or on a device; and geometry after rows were added that are not objects.
void checkObjects(const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
