// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// RFC 4648, section 4, with padding.
std::string base64Of(const std::vector<std::byte>& bytes);
/// nullopt if the text is not what `base64Of` returns for some bytes.
std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);

}  // namespace millrace
