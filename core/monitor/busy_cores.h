// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "core/spec/problem.h"

namespace millrace {

/// Adds a warning if other programs currently take at least a tenth of the cores, and names the
/// busiest of them, because figures measured now would not show what the machine can do. Reads
/// /proc/stat and /proc/PID/stat twice, with `wait` in between: a third of a second by default.
/// `proc` and `wait` are for tests. Any thread.
void warnOfBusyCores(Problems& problems, const std::filesystem::path& proc = "/proc",
                     const std::function<void()>& wait = {});

}  // namespace millrace
