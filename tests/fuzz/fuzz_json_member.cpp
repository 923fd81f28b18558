// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The first line is a field's key, the rest is its part of a sample.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/check.h"
#include "core/node_parts/fields/json_member.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), size);
  const millrace::nodes::WebKey key = millrace::nodes::webKey(text.substr(0, line));
  MILLRACE_CHECK(!key.extensions.empty(), "a key names a part");
  const auto part = std::as_bytes(std::span(data, size)).subspan(std::min(line + 1, size));
  if (const auto value = millrace::nodes::jsonMember(part, key.member); !value)
    MILLRACE_CHECK(!value.error().message.empty(), "the error says why");
  return 0;
}
