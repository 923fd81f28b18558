// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// Limits and faults of an emulated device, for tests.
struct EmulatedOptions {
  int ordinal = 0;
  std::size_t deviceBytes = SIZE_MAX;  ///< larger allocations fail
  std::size_t pinnedBytes = SIZE_MAX;
  const char* pciAddress = "";  ///< distinguishes the devices
  /// After this many operations on its streams every call fails, as after a device fault.
  std::uint64_t operationsUntilFault = UINT64_MAX;
  /// This many of the next records and event queries fail, as in a stream that captures a CUDA
  /// graph; other calls succeed.
  std::uint64_t failingRecords = 0;
  std::uint64_t failingQueries = 0;
};

/// Creates a device with host memory and one host thread per stream. It is asynchronous like a real
/// device, so that missing waits show, and visible to the thread sanitizer. It refuses what CUDA
/// refuses: recording an event of another device, and times of events that have none.
std::shared_ptr<Device> makeEmulatedDevice(const EmulatedOptions& options = {});

/// Whether the program has a stream with this value on an emulated device.
bool hasProgramStream(const Device& emulated, void* native);

}  // namespace millrace
