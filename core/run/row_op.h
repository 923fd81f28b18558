// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/run/run_parts.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// The operation of a group of nodes (indices into the pipeline), with their values of the moment:
/// the node's own for one node, one pixel pass for image nodes.
Result<std::unique_ptr<SampleOp>> makeRowOp(const RunParts& parts,
                                            const std::vector<std::size_t>& nodes);

}  // namespace millrace
