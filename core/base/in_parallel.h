// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace millrace {

/// Calls `work` on this thread and on up to `threads - 1` others, and returns when all calls have
/// returned. The calls share the work themselves, for example by an atomic counter, because there
/// are fewer of them if the system refuses threads. Rethrows one of the exceptions that they throw.
/// Any thread.
void inParallel(std::size_t threads, const std::function<void()>& work);

}  // namespace millrace
