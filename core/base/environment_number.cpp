// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/environment_number.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace millrace {

Result<std::int64_t> environmentNumber(const char* name, std::int64_t least, std::int64_t most,
                                       std::optional<std::int64_t> otherwise) {
  const char* const set = std::getenv(name);
  const std::string_view text = set == nullptr ? "" : set;
  if (text.empty() && otherwise) return *otherwise;
  if (set == nullptr)
    return Error{
        fmt::format("{} is not set: expected a whole number from {} to {}", name, least, most)};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    return Error{
        fmt::format("{}={}: expected a whole number from {} to {}", name, text, least, most)};
  return number;
}

}  // namespace millrace
