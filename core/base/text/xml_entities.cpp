// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/xml_entities.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/text/utf8.h"

namespace millrace {

namespace {

/// The character of `#65` or `#x41`.
std::optional<std::uint32_t> codeOf(std::string_view entity) {
  if (!entity.starts_with('#')) return std::nullopt;
  entity.remove_prefix(1);
  const bool isHex = entity.starts_with('x');
  if (isHex) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(entity.data(), entity.data() + entity.size(), code, isHex ? 16 : 10);
  const bool isCode = error == std::errc() && end == entity.data() + entity.size();
  return isCode && code > 0 && code < 0x110000 ? std::optional(code) : std::nullopt;
}

}  // namespace

std::string plainXml(std::string_view text) {
  constexpr std::size_t kLongest = 12;
  std::string to;
  static constexpr std::array<std::pair<std::string_view, char>, 5> kNamed{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    to += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const std::size_t end = text.substr(0, kLongest).find(';');
    const std::string_view entity =
        end == std::string_view::npos ? std::string_view{} : text.substr(1, end - 1);
    bool isResolved = false;
    for (const auto& [name, character] : kNamed) {
      if (name != entity) continue;
      to += character;
      isResolved = true;
    }
    if (const auto code = codeOf(entity)) {
      appendUtf8(to, *code);
      isResolved = true;
    }
    if (!isResolved) to += '&';
    text.remove_prefix(isResolved ? end + 1 : 1);
  }
  return to;
}

}  // namespace millrace
