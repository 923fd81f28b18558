// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace::nodes {

/// What a field of WebDataset is read from: a part with one of these extensions, and, if it is
/// JSON, the path of a member such as `label` or `annotation/class`. Written `json/label`.
struct WebKey {
  std::vector<std::string> extensions;
  std::string member;
};
WebKey webKey(std::string_view key);

/// Reads `text`, all of it; its member's value, or without a member itself, without spaces around.
Result<std::string> webText(int fd, std::uint64_t offset, std::span<std::byte> text,
                            std::string_view member);

/// The value of a member as text: a string itself, a number or a list as JSON writes it. The error
/// says which members there are.
Result<std::string> jsonMember(std::span<const std::byte> text, std::string_view member);

}  // namespace millrace::nodes
