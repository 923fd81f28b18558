// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/monitor/gpu/gpu_library.h"

namespace millrace {

/// The environment that determines which GPUs a process may use and in which order CUDA counts them
/// ("CUDA C++ Programming Guide", CUDA Environment Variables). Absent: not set.
struct GpuVisibility {
  std::optional<std::string> visibleDevices;  ///< CUDA_VISIBLE_DEVICES
  std::optional<std::string> deviceOrder;     ///< CUDA_DEVICE_ORDER
  /// UUID of CUDA's device 0 as reported by CUDA (DeviceFacts::uuid); empty if CUDA was not asked
  /// or cannot be used.
  std::string cudaUuid;
};
/// The environment of this process. Asking CUDA loads the driver, so it is asked only if the
/// environment leaves the choice open: among several devices, or among instances of one.
GpuVisibility gpuVisibility(const std::vector<GpuDevice>& devices);

/// A GPU, or one of its instances in Multi-Instance mode.
struct GpuChoice {
  std::size_t device = 0;
  std::optional<std::size_t> instance;
};

/// The GPU that is CUDA's device 0 for this process, whose figures belong to a run: as reported by
/// CUDA, else by CUDA's rules. The error says why there is none: all are hidden, or it cannot be
/// determined.
Result<GpuChoice> chooseGpu(const std::vector<GpuDevice>& devices, const GpuVisibility& visibility);

}  // namespace millrace
