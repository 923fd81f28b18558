// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace::cli {

inline constexpr const char* kVersion = MILLRACE_VERSION;

}  // namespace millrace::cli
