// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/xml_reader.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/text/text.h"

namespace millrace {

namespace {

void appendUtf8(std::uint32_t code, std::string& to) {
  const auto byte = [&](std::uint32_t value) { to += static_cast<char>(value); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0U | (code >> 6U));
    return byte(0x80U | (code & 0x3fU));
  }
  if (code < 0x10000) {
    byte(0xe0U | (code >> 12U));
  } else {
    byte(0xf0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3fU));
  }
  byte(0x80U | ((code >> 6U) & 0x3fU));
  byte(0x80U | (code & 0x3fU));
}

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

/// Appends the text with its entities resolved.
void appendText(std::string_view text, std::string& to) {
  constexpr std::size_t kLongest = 12;
  static constexpr std::array<std::pair<std::string_view, char>, 5> kNamed{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    to += text.substr(0, at);
    if (at == std::string_view::npos) return;
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
      appendUtf8(*code, to);
      isResolved = true;
    }
    if (!isResolved) to += '&';
    text.remove_prefix(isResolved ? end + 1 : 1);
  }
}

}  // namespace

bool XmlReader::skip(std::string_view until) {
  const std::size_t at = m_text.find(until, m_at);
  m_at = at == std::string_view::npos ? m_text.size() : at + until.size();
  return at != std::string_view::npos;
}

XmlReader::Event XmlReader::next() {
  if (std::exchange(m_closes, false)) return Event::Close;
  m_content.clear();
  while (m_at < m_text.size()) {
    const std::string_view rest = m_text.substr(m_at);
    if (rest.starts_with("<!--")) {
      if (!skip("-->")) return Event::Broken;
    } else if (rest.starts_with("<![CDATA[")) {
      const std::size_t from = m_at + 9;
      if (!skip("]]>")) return Event::Broken;
      m_content += m_text.substr(from, m_at - 3 - from);
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      if (!skip(">")) return Event::Broken;
    } else if (rest.front() == '<') {
      if (!trimmed(m_content).empty()) {
        m_content = std::string(trimmed(m_content));
        return Event::Text;
      }
      return tag();
    } else {
      const std::size_t length = rest.find('<');
      appendText(rest.substr(0, length), m_content);
      m_at += length == std::string_view::npos ? rest.size() : length;
    }
  }
  return Event::End;
}

XmlReader::Event XmlReader::tag() {
  const std::size_t from = m_at + 1;
  if (!skip(">")) return Event::Broken;
  std::string_view inside = m_text.substr(from, m_at - 1 - from);
  const bool isClosing = inside.starts_with('/');
  if (isClosing) inside.remove_prefix(1);
  m_closes = !isClosing && inside.ends_with('/');
  if (m_closes) inside.remove_suffix(1);
  m_name = inside.substr(0, inside.find_first_of(" \t\r\n"));
  if (m_name.empty()) return Event::Broken;
  return isClosing ? Event::Close : Event::Open;
}

}  // namespace millrace
