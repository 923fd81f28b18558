// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/ptx_tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

namespace millrace::ptx {

namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

/// The position after white space and comments.
std::size_t skipSpace(std::string_view text, std::size_t at, int& line) {
  while (at < text.size()) {
    if (text[at] == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = std::min(text.find("*/", at), text.size() - 2) + 2;
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end;
    } else {
      break;
    }
  }
  return at;
}

std::size_t lengthAt(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1 - at;
  std::size_t end = at;
  while (end < text.size() && isWord(text[end])) ++end;
  return std::max<std::size_t>(end - at, 1);
}

void appendBits(std::vector<std::byte>& to, std::uint64_t bits, std::size_t bytes) {
  const std::size_t at = to.size();
  to.resize(at + bytes);
  std::memcpy(to.data() + at, &bits, bytes);
}

}  // namespace

std::vector<Token> tokensOf(std::string_view text, int line) {
  std::vector<Token> tokens;
  for (std::size_t at = skipSpace(text, 0, line); at < text.size();
       at = skipSpace(text, at, line)) {
    const std::size_t length = lengthAt(text, at);
    tokens.push_back({text.substr(at, length), line});
    at += length;
  }
  return tokens;
}

void Tokens::skipLine() {
  const int line = this->line();
  while (!atEnd() && m_all[m_at].line == line) ++m_at;
}

void Tokens::fail(const std::string& why) const {
  throw NotUnderstood("PTX line " + std::to_string(line()) + ": " + why + " at `" +
                      std::string(peek()) + "`");
}

std::int64_t Tokens::takeInteger() {
  const bool negative = takeIf("-");
  std::string_view word = take();
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    base = 16;
    word.remove_prefix(2);
  }
  if (word.ends_with("U")) word.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size()) fail("no integer before it");
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

Variable readVariable(Tokens& tokens, std::string_view space) {
  Variable variable;
  variable.space = space;
  if (tokens.takeIf(".align")) variable.align = static_cast<std::size_t>(tokens.takeInteger());
  Type type;
  const std::string_view word = tokens.take();
  if (!typeOf(word.substr(1), type)) tokens.fail("no type before it");
  variable.align = std::max<std::size_t>(variable.align, type.bytes);
  variable.name = tokens.take();
  variable.bytes = type.bytes;
  if (tokens.takeIf("[")) {
    variable.bytes = tokens.peek() == "]" ? 0 : static_cast<std::size_t>(tokens.takeInteger());
    variable.bytes *= type.bytes;
    tokens.must("]");
  }
  if (!tokens.takeIf("=")) return variable;
  const bool listed = tokens.takeIf("{");
  do {
    if (type.isFloat()) tokens.fail("initial values of floats are not supported");
    appendBits(variable.initial, static_cast<std::uint64_t>(tokens.takeInteger()), type.bytes);
  } while (listed && tokens.takeIf(","));
  if (listed) tokens.must("}");
  return variable;
}

}  // namespace millrace::ptx
