// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace millrace {

/// Keeps the calling thread, and every thread and process that it starts from now on, on the first
/// `count` of the cores that it may use. Gives those cores as `taskset -c` takes them, "0,1"; empty
/// where it may use no more than that anyway. An error where the kernel refuses, or for no core.
Result<std::string> limitCores(int count);

}  // namespace millrace
