// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace millrace {

/// What each rank's CUDA_VISIBLE_DEVICES is, so that the GPUs go round: rank i has the i-th of
/// those that this process may use. `devices`: how many the driver gives it; `visible`: its own
/// CUDA_VISIBLE_DEVICES, whose names for them are kept. Empty without a device. Any thread.
std::vector<std::string> gpusOfRanks(std::size_t ranks, std::size_t devices,
                                     const std::optional<std::string>& visible);

/// The same for this process, by the driver; nothing is started on a device. Empty where
/// MILLRACE_BACKEND forbids a real one too.
std::vector<std::string> gpusOfRanks(std::size_t ranks);

}  // namespace millrace
