// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Warns of pictures that are decoded to the numbers in their files, such as 0 to 65535, and then
/// normalised by the default figures, which are those of photos whose white is 1.
void checkNumbers(const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
