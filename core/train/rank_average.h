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

/// The averaging of `count` gradients of this process's rank with the others', which open theirs
/// too and as often: by NCCL where it is found and each rank has a GPU of its own, else through
/// shared memory of the host, where the ranks' values are added up in their order, so that all get
/// the same bits. Once a rank has left, those that go on average among themselves, through shared
/// memory. `patience`: so long a rank waits for another before it is an error.
Result<std::unique_ptr<GradientAverage>> rankAverage(
    const Rank& rank, Device& device, std::size_t count,
    std::chrono::seconds patience = std::chrono::seconds(120));

}  // namespace millrace
