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
    return Error{fmt::format("{}={} is not a whole number of at least {}", name, text, least)};
  return number;
}

}  // namespace

Result<std::optional<Rank>> rankOfProcess() {
  const char* const rendezvous = std::getenv("MILLRACE_RENDEZVOUS");
  if (std::getenv("MILLRACE_RANK") == nullptr && std::getenv("MILLRACE_WORLD") == nullptr &&
      rendezvous == nullptr)
    return std::optional<Rank>();
  MILLRACE_ASSIGN_OR_RETURN(const auto number, numberOf("MILLRACE_RANK", 0));
  MILLRACE_ASSIGN_OR_RETURN(const auto world, numberOf("MILLRACE_WORLD", 1));
  if (number >= world)
    return Error{
        fmt::format("MILLRACE_RANK={} must be less than MILLRACE_WORLD={}", number, world)};
  if (rendezvous == nullptr || *rendezvous == '\0')
    return Error{"MILLRACE_RENDEZVOUS is not set; it must name the folder that all ranks share"};
  return std::optional<Rank>(Rank{number, world, rendezvous});
}

}  // namespace millrace
