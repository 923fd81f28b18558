// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/numbers.h"

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/common/amount.h"

namespace millrace::cli {

namespace {

constexpr double kMostSeconds = 1e7;

/// Whether all of `text` is a number of this type.
template <class T>
bool readWhole(const std::string& text, T& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, number);
  return code == std::errc{} && stopped == end;
}

CLI::Validator secondsFrom(bool noneIsAllowed) {
  const auto check = [noneIsAllowed](const std::string& text) -> std::string {
    double number = 0;
    // A comparison with NaN is false.
    if (readWhole(text, number) && number <= kMostSeconds &&
        (number > 0 || (noneIsAllowed && number == 0)))
      return {};
    return fmt::format("expected a number of seconds, {} and at most {:.0f}; found `{}`",
                       noneIsAllowed ? "0 or more" : "more than 0", kMostSeconds, text);
  };
  return {check, ""};
}

}  // namespace

CLI::Validator someSeconds() { return secondsFrom(false); }

CLI::Validator secondsOrNone() { return secondsFrom(true); }

CLI::Validator lengthOfTime() {
  const auto check = [](std::string& text) -> std::string {
    const Result<double> seconds = parseSeconds(text);
    double ignored = 0;
    if (!seconds || readWhole(text, ignored))
      return fmt::format("expected a length of time with its unit, such as 20ms; found `{}`", text);
    text = fmt::format("{}", *seconds);
    return {};
  };
  return {check, ""};
}

CLI::Validator oneOf(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    const std::vector<std::string> first(words.begin(), words.end() - 1);
    return fmt::format("expected {} or {}, found `{}`", join(first, ", "), words.back(), text);
  };
  return {check, "{" + join(words, ",") + "}"};
}

CLI::Validator whole(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](std::string& text) -> std::string {
    std::uint64_t number = 0;
    if (!readWhole(text, number) || number < least || number > most)
      return fmt::format("expected a whole number from {} to {}, found `{}`", least, most, text);
    text = std::to_string(number);
    return {};
  };
  return {check, ""};
}

}  // namespace millrace::cli
