// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"

namespace millrace {

/// Makes a device the thread's current one, and brings the CUDA context back that the thread had.
/// Not by cudaSetDevice: that starts the device it names, and a thread's current one is GPU 0
/// before anybody has chosen any.
/// While a scope lasts, and on threads of the engine, a CUDA graph that another thread of the
/// program captures forbids nothing.
std::unique_ptr<DeviceScope> enterCudaDevice(int ordinal);

/// Has the calling thread make calls while another one captures a CUDA graph, which else would end
/// the capture: what the engine enqueues is none of it. Behind cudaSetDevice.
void allowCallsDuringCapture();

/// The device that the calling thread has chosen; nothing where it has none. Starts none.
std::optional<int> currentCudaDevice();

/// The devices on which a program's stream (cudaStream_t) has work: that of its context, for a
/// default stream every one that the process has started.
Result<std::vector<int>> cudaDevicesOf(void* native);

}  // namespace millrace
