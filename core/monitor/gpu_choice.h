// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/monitor/gpu_library.h"

namespace millrace {

/// What the environment says about which GPUs a process may use, and in which order CUDA counts
/// them ("CUDA C++ Programming Guide", CUDA Environment Variables). Absent: not set.
struct GpuVisibility {
  std::optional<std::string> visibleDevices;  ///< CUDA_VISIBLE_DEVICES
  std::optional<std::string> deviceOrder;     ///< CUDA_DEVICE_ORDER
  /// What CUDA itself says of its device 0 (DeviceFacts::uuid); empty: it was not asked, or cannot
  /// be used.
  std::string cudaUuid;
};
/// Of this process. CUDA, which takes a moment to load the driver, is asked only where the
/// environment leaves it open: among several devices, and for parts of one.
GpuVisibility gpuVisibility(const std::vector<GpuDevice>& devices);

/// A GPU, or an instance of it where it is in Multi-Instance mode.
struct GpuChoice {
  std::size_t device = 0;
  std::optional<std::size_t> instance;
};

/// Which of the machine's GPUs is CUDA's device 0 for this process: the one whose figures are those
/// of a run. Where CUDA says it, that; else by the rules that it follows. The error says why none
/// is: all are hidden, or it cannot be told.
Result<GpuChoice> chooseGpu(const std::vector<GpuDevice>& devices, const GpuVisibility& visibility);

}  // namespace millrace
