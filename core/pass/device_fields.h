// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/kernels/device/device_address.h"
#include "core/spec/device_op.h"

namespace millrace {

/// What device operations that process fields one by one have in common.

/// DeviceOp::shape for results that have the size of their inputs.
void keepShapes(const DeviceWork& work, const std::vector<std::size_t>& fields);

/// Whether the pictures of these fields have 1 to 4 channels, which the kernels need; the error
/// says what to do.
Status checkChannelsOnDevice(const StreamType& in, const std::vector<std::size_t>& fields);
/// The same, and whether they are u8.
Status checkBytesOnDevice(const StreamType& in, const std::vector<std::size_t>& fields);

}  // namespace millrace
