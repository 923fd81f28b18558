// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/problem.h"

namespace millrace {

/// Decodes the source's first masks and warns of what would fail or spoil a run: masks in JPEG
/// files, which do not keep class numbers, and indices that are not among the classes of a node.
void checkMasks(const std::vector<CheckedNode>& nodes, const Source& source, Problems& problems);

}  // namespace millrace
