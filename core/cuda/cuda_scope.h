// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"

namespace millrace {

/// Makes a device the calling thread's current one until the scope ends, which restores the
/// thread's previous CUDA context. It does not use cudaSetDevice: that starts the device it names,
/// and a thread that has not chosen a device has GPU 0 as its current one. During a scope, and on
/// the engine's threads, another thread's CUDA graph capture does not forbid any call.
std::unique_ptr<DeviceScope> enterCudaDevice(int ordinal);

/// Lets the calling thread make calls while another thread captures a CUDA graph; without this they
/// would end the capture. What the engine enqueues is not part of the graph. Call it after
/// cudaSetDevice.
void allowCallsDuringCapture();

/// The device that the calling thread has chosen, or nullopt. Starts no device.
std::optional<int> currentCudaDevice();

/// The devices on which a program's stream (cudaStream_t) has work: the device of its context, or
/// for a default stream every device that the process has started.
Result<std::vector<int>> cudaDevicesOf(void* native);

}  // namespace millrace
