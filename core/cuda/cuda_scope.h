// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// Makes a device the thread's current one, and brings the CUDA context back that the thread had.
/// Not by cudaSetDevice: that starts the device it names, and a thread's current one is GPU 0
/// before anybody has chosen any.
std::unique_ptr<DeviceScope> enterCudaDevice(int ordinal);

}  // namespace millrace
