// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace millrace {

/// So many requests to servers are in flight at most.
inline constexpr std::int64_t kMostRequests = 2048;

}  // namespace millrace
