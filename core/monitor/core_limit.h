// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace millrace {

/// How many cores the calling thread may use.
int usableCores();

/// Restricts the calling thread, and every thread and process that it starts later, to the first
/// `count` cores that it may use. Returns those cores in the format of `taskset -c`, "0,1"; empty
/// if it may not use more than that anyway. An error if the kernel refuses or `count` is less
/// than 1.
Result<std::string> limitCores(int count);

}  // namespace millrace
