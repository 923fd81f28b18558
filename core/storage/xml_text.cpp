// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/xml_text.h"

#include <string>

namespace millrace {

namespace {

/// The element's content; `rest` is what follows it.
std::optional<std::string_view> next(std::string_view& rest, std::string_view name) {
  const std::string open = "<" + std::string(name);
  const std::string close = "</" + std::string(name) + ">";
  for (std::size_t at = rest.find(open); at != std::string_view::npos;
       at = rest.find(open, at + 1)) {
    const std::size_t after = at + open.size();
    if (after >= rest.size()) return std::nullopt;
    if (rest[after] != '>' && rest[after] != ' ' && rest[after] != '/') continue;
    const std::size_t begin = rest.find('>', after);
    if (begin == std::string_view::npos) return std::nullopt;
    if (rest[begin - 1] == '/') {
      rest.remove_prefix(begin + 1);
      return std::string_view();
    }
    const std::size_t end = rest.find(close, begin);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view content = rest.substr(begin + 1, end - begin - 1);
    rest.remove_prefix(end + close.size());
    return content;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> firstElement(std::string_view text, std::string_view name) {
  return next(text, name);
}

void forEachElement(std::string_view text, std::string_view name,
                    const std::function<void(std::string_view content)>& each) {
  while (const auto content = next(text, name)) each(*content);
}

}  // namespace millrace
