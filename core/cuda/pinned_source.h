// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"
#include "core/data/buffer.h"

namespace millrace {

/// Pinned memory of `device` for Buffers, out of its pool.
std::shared_ptr<BufferSource> makePinnedSource(std::shared_ptr<Device> device);

}  // namespace millrace
