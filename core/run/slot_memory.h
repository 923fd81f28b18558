// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <optional>

#include "core/base/result.h"
#include "core/graph/plan.h"

namespace millrace {

/// Host memory in bytes that the queues of a plan take for batches. Rows of varying size are not
/// included.
std::uint64_t slotBytesOf(const Plan& plan);

/// An error if the batches of a plan take more than `freeBytes` (freeMemoryBytes). Without this
/// check the kernel may grant memory that it does not have, and kill a process once it is used.
Status checkSlotMemory(const Plan& plan, std::optional<std::uint64_t> freeBytes);

/// The error for a plan whose batches could not be allocated.
Error noMemoryFor(const Plan& plan);

/// The error for what was thrown while a stage worked: lack of memory, or a library's exception.
Error errorOf(const std::exception& thrown);

}  // namespace millrace
