// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/plan.h"

namespace millrace {

/// Joins neighbours among `groups` that one pixel pass can do: decode, axis-aligned geometry with
/// one resize, normalise, precision, in this order and on the same fields (CONTRACT §6).
void fuseImageGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups);

}  // namespace millrace
