// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports decoded pictures that go into a batch in different sizes and that no node behind it
/// brings to one, here or on a device. Encoded files may stay as they are.
void checkPictureSizes(const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
