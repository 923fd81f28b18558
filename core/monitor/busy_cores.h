// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "core/spec/problem.h"

namespace millrace {

/// Adds a warning where other programs take a tenth of the cores or more at present, with the
/// busiest of them by name: what is measured beside them is not the machine's. Looks at /proc/stat
/// and /proc/PID/stat, twice with `wait` in between: a third of a second. `proc` and `wait` are for
/// tests. Any thread.
void warnOfBusyCores(Problems& problems, const std::filesystem::path& proc = "/proc",
                     const std::function<void()>& wait = {});

}  // namespace millrace
