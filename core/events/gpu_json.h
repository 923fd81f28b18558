// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/monitor/gpu_values.h"

namespace millrace {

// The `accelerator` of results and snapshots; null where no GPU is watched.

/// Of a measured span.
nlohmann::json gpuJson(const std::optional<GpuFigures>& gpu);
/// Now: the last sample; without values where none came since the snapshot before.
nlohmann::json gpuJson(const std::optional<GpuNews>& gpu);

}  // namespace millrace
