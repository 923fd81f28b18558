// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace::cli {

/// Messages of core name settings: "the setting `max_failures`". On the command line that is a
/// flag, and the text becomes "--max-failures".
std::string withFlags(std::string_view text);

}  // namespace millrace::cli
