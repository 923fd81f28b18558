// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/xml_text.h"

#include <array>
#include <charconv>
#include <utility>

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

/// The letter of `&#65;` or `&#x41;` at the beginning, if it is one of ASCII, and the length of
/// that.
std::optional<std::pair<char, std::size_t>> numberedLetter(std::string_view text) {
  if (!text.starts_with("&#")) return std::nullopt;
  const std::size_t end = text.substr(0, 12).find(';');
  if (end == std::string_view::npos) return std::nullopt;
  const bool isHex = text[2] == 'x';
  unsigned number = 0;
  const char* const last = text.data() + end;
  const auto [stop, error] =
      std::from_chars(text.data() + (isHex ? 3 : 2), last, number, isHex ? 16 : 10);
  if (error != std::errc() || stop != last || number == 0 || number > 127) return std::nullopt;
  return std::pair(static_cast<char>(number), end + 1);
}

}  // namespace

std::optional<std::string_view> firstElement(std::string_view text, std::string_view name) {
  return next(text, name);
}

void forEachElement(std::string_view text, std::string_view name,
                    const std::function<void(std::string_view content)>& each) {
  while (const auto content = next(text, name)) each(*content);
}

std::string plainXml(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string plain;
  while (!text.empty()) {
    std::size_t length = 1;
    char letter = text.front();
    for (const auto& [entity, meant] : kEntities)
      if (text.starts_with(entity)) {
        length = entity.size();
        letter = meant;
      }
    if (const auto number = numberedLetter(text)) {
      letter = number->first;
      length = number->second;
    }
    plain += letter;
    text.remove_prefix(length);
  }
  return plain;
}

}  // namespace millrace
