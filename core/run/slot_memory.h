// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/graph/plan.h"

namespace millrace {

/// Host memory that the queues of a plan take for batches, as far as their rows have a fixed size.
std::uint64_t slotBytesOf(const Plan& plan);

/// An error where the batches of a plan take more than `freeBytes` (freeMemoryBytes): the kernel
/// gives out memory that it does not have, and ends processes once it is used.
Status checkSlotMemory(const Plan& plan, std::optional<std::uint64_t> freeBytes);

/// The error for a plan whose batches the system refused memory for.
Error noMemoryFor(const Plan& plan);

}  // namespace millrace
