// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports decoded pictures that enter a batch in different sizes and that no later node, on the
/// CPU or on a device, brings to one size. Encoded files may differ.
void checkPictureSizes(const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
