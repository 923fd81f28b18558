// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/kernels/device_address.h"
#include "core/spec/device_op.h"

namespace millrace {

/// What operations on a device have in common that take fields one by one.

/// DeviceOp::shape where results are as large as what comes in.
void keepShapes(const DeviceWork& work, const std::vector<std::size_t>& fields);

/// Whether pictures of these fields have 1 to 4 channels, which a kernel is made for; the error
/// says what to do.
Status checkChannelsOnDevice(const StreamType& in, const std::vector<std::size_t>& fields);

}  // namespace millrace
