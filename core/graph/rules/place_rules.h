// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/catalog.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports nodes that cannot work where batches are on a device, and `place` requests that cannot
/// be met (docs/reference/pipeline-file.md). `catalog` is used to name kinds in remedies.
void checkDevicePlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, DeviceUse use,
                       Problems& problems);

/// Marks the wires before a pinned transfer as pinned, back to the queue that it takes batches
/// from.
void markPinned(std::vector<CheckedNode>& nodes);

}  // namespace millrace
