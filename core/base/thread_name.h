// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// Names the calling thread as tools and `top -H` show it; Linux keeps the first 15 bytes.
void setThreadName(const std::string& name);

}  // namespace millrace
