// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "core/base/rank.h"
#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/train/gradient_average.h"

namespace millrace {

/// Averages `count` gradients of this process's rank with those of the others, which must open and
/// call it equally often. Uses NCCL if it is found and each rank has a different GPU. Otherwise it
/// uses shared host memory, where the ranks' values are added in rank order, so that all ranks get
/// the same bits. When a rank has left, the others continue among themselves through shared memory.
/// `patience`: how long a rank waits for another one before it fails.
Result<std::unique_ptr<GradientAverage>> rankAverage(
    const Rank& rank, Device& device, std::size_t count,
    std::chrono::seconds patience = std::chrono::seconds(120));

}  // namespace millrace
