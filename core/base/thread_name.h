// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// Names the calling thread for debuggers and `top -H`; Linux keeps the first 15 bytes.
void setThreadName(const std::string& name);

}  // namespace millrace
