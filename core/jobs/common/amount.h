// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// Parses "2G", "512 MiB", "1000000000" to bytes. The error is a sentence with examples.
Result<std::uint64_t> parseBytes(const std::string& text);

/// Parses "2m", "90s", "90", "1.5 min" to seconds, more than 0 and at most 1e7. The error is a
/// sentence with examples.
Result<double> parseSeconds(const std::string& text);

}  // namespace millrace
