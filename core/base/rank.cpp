// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/rank.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/base/environment_number.h"

namespace millrace {

namespace {

/// More processes than any machine runs.
constexpr std::int64_t kMostRanks = 1'000'000;

}  // namespace

Result<std::optional<Rank>> rankOfProcess() {
  const char* const rendezvous = std::getenv("MILLRACE_RENDEZVOUS");
  if (std::getenv("MILLRACE_RANK") == nullptr && std::getenv("MILLRACE_WORLD") == nullptr &&
      rendezvous == nullptr)
    return std::optional<Rank>();
  MILLRACE_ASSIGN_OR_RETURN(const auto number,
                            environmentNumber("MILLRACE_RANK", 0, kMostRanks - 1));
  MILLRACE_ASSIGN_OR_RETURN(const auto world, environmentNumber("MILLRACE_WORLD", 1, kMostRanks));
  if (number >= world)
    return Error{
        fmt::format("MILLRACE_RANK={} must be less than MILLRACE_WORLD={}", number, world)};
  if (rendezvous == nullptr || *rendezvous == '\0')
    return Error{"MILLRACE_RENDEZVOUS is not set; it must name the folder that all ranks share"};
  return std::optional<Rank>(Rank{number, world, rendezvous});
}

std::vector<std::pair<std::string, std::string>> rankVariables(const Rank& rank,
                                                               const std::string& gpu) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {"MILLRACE_RANK", std::to_string(rank.number)},
      {"MILLRACE_WORLD", std::to_string(rank.world)},
      {"MILLRACE_RENDEZVOUS", rank.rendezvous.string()}};
  if (!gpu.empty()) variables.emplace_back("CUDA_VISIBLE_DEVICES", gpu);
  return variables;
}

}  // namespace millrace
