// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace millrace {

/// CUDA_VISIBLE_DEVICES for each rank, assigned round-robin: rank i gets device i modulo `devices`.
/// `devices` is the number of devices that the driver offers this process; `visible` is this
/// process's own CUDA_VISIBLE_DEVICES, whose device names are reused. Empty without a device. Any
/// thread.
std::vector<std::string> gpusOfRanks(std::size_t ranks, std::size_t devices,
                                     const std::optional<std::string>& visible);

/// The same for this process, with the number of devices asked from the driver; no CUDA context is
/// created. Empty when MILLRACE_BACKEND forbids real devices.
std::vector<std::string> gpusOfRanks(std::size_t ranks);

}  // namespace millrace
