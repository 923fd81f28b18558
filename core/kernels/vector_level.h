// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// Name of the vector instructions that the kernels use on this machine, as Highway calls them:
/// "AVX3", "AVX2", "SSE4", ... Any thread.
std::string vectorLevel();
/// Version of Highway that the kernels were built with.
std::string vectorLibraryVersion();

}  // namespace millrace
