// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/catalog.h"
#include "core/spec/problem.h"

namespace millrace {

/// Which nodes may stand where batches are on a device, and whether nodes that ask for a side get
/// it (DESIGN §2). Remedies name kinds of `catalog`.
void checkDevicePlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, DeviceUse use,
                       Problems& problems);

/// Says on the wires what the batches in front of a pinned transfer lie in: of the queue that it
/// takes them from.
void markPinned(std::vector<CheckedNode>& nodes);

}  // namespace millrace
