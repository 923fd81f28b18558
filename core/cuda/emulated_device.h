// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// What an emulated device has and when it breaks, for tests.
struct EmulatedOptions {
  std::size_t deviceBytes = SIZE_MAX;  ///< more memory than this is refused
  std::size_t pinnedBytes = SIZE_MAX;
  /// After so many operations enqueued on its streams every call fails, as after a fault.
  std::uint64_t operationsUntilFault = UINT64_MAX;
};

/// Host memory and one host thread a stream: asynchronous as a device is, so that a missing wait
/// shows, and visible to the thread sanitizer.
std::shared_ptr<Device> makeEmulatedDevice(const EmulatedOptions& options = {});

}  // namespace millrace
