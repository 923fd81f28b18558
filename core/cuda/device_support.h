// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cuda/cuda_facts.h"
#include "core/cuda/device.h"

namespace millrace {

/// What a machine with these facts supports: its first device that the build's kernels can run on.
/// If there is none, the reason names the first device. Does not access a device.
DeviceSupport supportOf(const CudaFacts& facts);

}  // namespace millrace
