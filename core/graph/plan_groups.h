// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/plan.h"
#include "core/nodes/image_pass.h"

namespace millrace {

/// What node i is made in.
BuildContext buildContext(const CheckedPipeline& pipeline, std::size_t i);

/// Image node i, with `values` in place of its own, as a step of a pixel pass.
Result<ImagePassStep> imagePassStep(const CheckedPipeline& pipeline, std::size_t i,
                                    const Values& values);

/// Memory that the side indices of node i's pictures may take; 0 where it keeps none.
std::size_t sideIndexBytes(const CheckedPipeline& pipeline, std::size_t i);

/// What becomes of the wish of node i to resize planes, in a sentence; empty where it has none.
/// `group`: the nodes that run as one operation with it.
std::string resizeText(const CheckedPipeline& pipeline, std::size_t i,
                       const std::vector<std::size_t>& group);

/// Joins neighbours among `groups` that one pixel pass can do (CONTRACT §6).
Status fuseImageGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups);

/// Joins neighbours among `groups`, which run on a device, that one operation there can do.
void fuseDeviceGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups);

}  // namespace millrace
