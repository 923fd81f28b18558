// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace millrace {

/// Reads untrusted JSON (RFC 8259) strictly. Errors have line and column and what was expected.
/// Duplicate keys, nesting deeper than `maxDepth` and text that is not UTF-8 are errors.
Result<nlohmann::json> readJson(std::string_view text, std::size_t maxDepth);

/// JSON for people and version control: keys sorted, indented by two spaces, containers of plain
/// values on one line if they fit, reals with the fewest digits that read back the same and always
/// recognisable as reals, no newline at the end. Equal values give equal bytes.
std::string jsonText(const nlohmann::json& value);

}  // namespace millrace
