// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace millrace {

/// What stands between the first <NAME ...> and its end. Enough for the answers of S3, in which no
/// element holds one of the same name. Reads within `text` alone, whatever it is.
std::optional<std::string_view> firstElement(std::string_view text, std::string_view name);
/// Calls `each` with the content of every such element.
void forEachElement(std::string_view text, std::string_view name,
                    const std::function<void(std::string_view content)>& each);

}  // namespace millrace
