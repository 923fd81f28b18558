// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace {

/// Memory in bytes that a cache may use on this machine: less than half of what is available.
double cacheRoom();

}  // namespace millrace
