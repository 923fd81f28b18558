// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/result.h"

namespace millrace {

/// The value of an environment variable that holds a whole number from `least` to `most`.
/// `otherwise`: the number if the variable is not set or empty; without one it must be set. The
/// error names the variable, its value and the range.
Result<std::int64_t> environmentNumber(const char* name, std::int64_t least, std::int64_t most,
                                       std::optional<std::int64_t> otherwise = std::nullopt);

}  // namespace millrace
