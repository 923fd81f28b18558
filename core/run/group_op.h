// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/run/run_parts.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// Makes the operation of a group of nodes (indices into the pipeline) with their current
/// parameters. A group of image nodes becomes one image pass; any other group is a single node with
/// its own operation.
Result<std::unique_ptr<SampleOp>> makeGroupOp(const RunParts& parts,
                                              const std::vector<std::size_t>& nodes);

}  // namespace millrace
