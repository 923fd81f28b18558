// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/plan.h"
#include "core/pass/image_pass.h"

namespace millrace {

/// The context that node i is made in.
BuildContext buildContext(const CheckedPipeline& pipeline, std::size_t i);

/// Image node i as a step of an image pass, with `values` instead of the node's.
Result<ImagePassStep> imagePassStep(const CheckedPipeline& pipeline, std::size_t i,
                                    const Values& values);

/// Memory that the side indices of node i's pictures may take; 0 if it keeps none.
std::size_t sideIndexBytes(const CheckedPipeline& pipeline, std::size_t i);

/// How node i's request to resize planes is carried out, as a sentence; empty if it has none.
/// `group`: the nodes fused with it.
std::string resizeText(const CheckedPipeline& pipeline, std::size_t i,
                       const std::vector<std::size_t>& group);

/// Joins neighbours in `groups` that one image pass can do (docs/reference/regions-and-queues.md).
Status fuseImageGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups);

/// Joins neighbours in `groups`, which run on a device, that one operation there can do.
void fuseDeviceGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups);

}  // namespace millrace
