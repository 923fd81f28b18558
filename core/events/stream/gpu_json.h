// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/monitor/gpu/gpu_values.h"

namespace millrace {

// The `accelerator` of results and snapshots; null if no GPU is monitored.

/// For a measured span.
nlohmann::json gpuJson(const std::optional<GpuFigures>& gpu);
/// For a snapshot: the last sample; without values if there was none since the previous snapshot.
nlohmann::json gpuJson(const std::optional<GpuNews>& gpu);

}  // namespace millrace
