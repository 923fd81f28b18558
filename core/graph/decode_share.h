// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/infer_context.h"
#include "core/spec/problem.h"

namespace millrace {

/// Percent of its pictures that node i leaves to the device behind it: what its parameter
/// `gpu_share` says. 0 where it has none, where nothing behind it moves batches to a device, and
/// where there is no nvJPEG for that device.
double gpuShare(const std::vector<CheckedNode>& nodes, std::size_t i);

/// Whether a run moves that share (parameter `gpu_balance`).
bool gpuShareMoves(const CheckedNode& node);

/// Reports shares that cannot be: without a node that moves batches to a device, with nodes in
/// between that need the pixels, or where pictures are padded. That nvJPEG is missing is a warning:
/// the CPU decodes instead.
void checkGpuShares(const std::vector<CheckedNode>& nodes, DeviceUse use, Problems& problems);

}  // namespace millrace
