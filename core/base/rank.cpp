// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/rank.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace millrace {

namespace {

Result<std::int64_t> numberOf(const char* name, std::int64_t least) {
  const char* const set = std::getenv(name);
  const std::string_view text = set == nullptr ? "" : set;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least)
    return Error{fmt::format("{}={} is no whole number of {} or more", name, text, least)};
  return number;
}

}  // namespace

Result<std::optional<Rank>> rankOfProcess() {
  const char* const meeting = std::getenv("MILLRACE_MEETING");
  if (std::getenv("MILLRACE_RANK") == nullptr && std::getenv("MILLRACE_WORLD") == nullptr &&
      meeting == nullptr)
    return std::optional<Rank>();
  const auto number = numberOf("MILLRACE_RANK", 0);
  if (!number) return number.error();
  const auto world = numberOf("MILLRACE_WORLD", 1);
  if (!world) return world.error();
  if (*number >= *world)
    return Error{fmt::format("MILLRACE_RANK={} of MILLRACE_WORLD={}", *number, *world)};
  if (meeting == nullptr || *meeting == '\0')
    return Error{"MILLRACE_MEETING does not name the folder where the ranks meet"};
  return std::optional<Rank>(Rank{*number, *world, meeting});
}

}  // namespace millrace
