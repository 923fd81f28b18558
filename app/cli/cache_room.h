// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::cli {

/// Memory in bytes that a cache may take on this machine: not half of what there is.
double cacheRoom();

}  // namespace millrace::cli
