// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace millrace {

/// The value of a JSON text; `is_discarded()` if the text is not JSON. Never throws. Compiled once:
/// each use of the library's own function takes a second of a build.
nlohmann::json parsedJson(std::string_view text);

}  // namespace millrace
