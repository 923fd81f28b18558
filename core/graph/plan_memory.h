// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/graph/plan.h"
#include "core/spec/problem.h"

namespace millrace {

/// Host memory in bytes that a queue takes for batches; 0 on a device. Rows of varying size are not
/// included. Like slotBytesOf(), at most 2^64 - 1.
std::uint64_t slotBytesOf(const PlanQueue& queue);
/// The same for all queues of a plan.
std::uint64_t slotBytesOf(const Plan& plan);

/// The error if the batches of a plan take more than `freeBytes` (freeMemoryBytes). Without this
/// check the kernel may grant memory that it does not have, and kill a process once it is used.
std::optional<Problem> lackOfSlotMemory(const Plan& plan, std::optional<std::uint64_t> freeBytes);

/// The error for a plan whose batches could not be allocated.
Problem noMemoryFor(const Plan& plan);

}  // namespace millrace
