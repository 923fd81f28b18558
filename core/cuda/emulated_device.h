// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// What an emulated device has and when it breaks, for tests.
struct EmulatedOptions {
  int ordinal = 0;
  std::size_t deviceBytes = SIZE_MAX;  ///< more memory than this is refused
  std::size_t pinnedBytes = SIZE_MAX;
  const char* pciAddress = "";  ///< by which devices are told apart
  /// After so many operations enqueued on its streams every call fails, as after a fault.
  std::uint64_t operationsUntilFault = UINT64_MAX;
  /// So many of the next records fail, and queries of an event, as on a stream that captures a CUDA
  /// graph; nothing else does.
  std::uint64_t failingRecords = 0;
  std::uint64_t failingQueries = 0;
};

/// Host memory and one host thread a stream: asynchronous as a device is, so that a missing wait
/// shows, and visible to the thread sanitizer. Refuses what CUDA refuses: to record an event of
/// another device, and times of events that have none.
std::shared_ptr<Device> makeEmulatedDevice(const EmulatedOptions& options = {});

/// Whether the program has a stream of that number on an emulated device.
bool hasProgramStream(const Device& emulated, void* native);

}  // namespace millrace
