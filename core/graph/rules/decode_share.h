// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/infer_context.h"
#include "core/spec/problem.h"

namespace millrace {

/// Percentage of its pictures that node i leaves for the device to decode (parameter `gpu_share`).
/// 0 if it has no such parameter, if no later node moves batches to a device, or if nvJPEG is not
/// available for that device.
double gpuShare(const std::vector<CheckedNode>& nodes, std::size_t i);

/// Whether a run adapts that percentage (parameter `gpu_balance`).
bool gpuShareMoves(const CheckedNode& node);

/// Reports invalid values of `gpu_share`: no later node moves batches to a device, a node in
/// between needs the pixels, or pictures are padded. A missing nvJPEG is only a warning: the CPU
/// then decodes all pictures.
void checkGpuShares(const std::vector<CheckedNode>& nodes, DeviceUse use, Problems& problems);

}  // namespace millrace
