// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// The vector instruction set that the kernels use on this machine, as Highway names it: "AVX3",
/// "AVX2", "SSE4", ... Any thread.
std::string vectorLevel();
/// The version of Highway that the kernels were built with.
std::string vectorLibraryVersion();

}  // namespace millrace
