// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/http_head.h"

#include <algorithm>
#include <charconv>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::optional<std::uint64_t> numberOf(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "bytes 0-99/1234", "bytes */1234"
void takeContentRange(std::string_view value, HttpHead& head) {
  if (!lowerCase(value).starts_with("bytes ")) return;
  value = trimmed(value.substr(6));
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return;
  head.total = numberOf(value.substr(slash + 1));
  head.begin = numberOf(value.substr(0, value.find('-')));
}

}  // namespace

void takeHeader(std::string_view line, HttpHead& head) {
  if (line.starts_with("HTTP/")) {
    head = {};
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view rest = trimmed(line.substr(space));
    head.status = static_cast<int>(numberOf(rest.substr(0, rest.find(' '))).value_or(0) % 1000);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = lowerCase(trimmed(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "etag") head.etag = value;
  if (name == "content-length") head.length = numberOf(value);
  if (name == "content-range") takeContentRange(value, head);
  if (name == "link") head.link = value;
  if (name == "x-amz-bucket-region") head.region = value;
  if (name == "retry-after") {
    constexpr std::uint64_t kLongest = 30;
    head.retryAfter = std::chrono::seconds(std::min(numberOf(value).value_or(0), kLongest));
  }
}

}  // namespace millrace
