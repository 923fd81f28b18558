// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace millrace {

namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kOperatorBytes = "=!<>~:";

bool isOneOf(char c, std::string_view bytes) { return bytes.find(c) != bytes.npos; }

std::size_t operatorLength(std::string_view text) {
  constexpr std::array<std::string_view, 5> kTwo = {"==", "!=", "<>", "<=", ">="};
  if (text.starts_with("!~")) return 2;
  return std::ranges::any_of(kTwo, [&](auto two) { return text.starts_with(two); }) ? 2 : 1;
}

}  // namespace

bool Token::isKeyword(std::string_view word) const {
  return kind == Kind::Word && std::ranges::equal(text, word, [](unsigned char a, unsigned char b) {
           return std::tolower(a) == b;
         });
}

bool Token::isAnyKeyword() const { return isKeyword("and") || isKeyword("or") || isKeyword("not"); }

Token QueryLexer::peek() const { return read(false); }
Token QueryLexer::peekValue() const { return read(true); }

Token QueryLexer::take() {
  Token token = read(false);
  m_at = token.at + token.length;
  return token;
}

Token QueryLexer::takeValue() {
  Token token = read(true);
  m_at = token.at + token.length;
  return token;
}

Token QueryLexer::read(bool value) const {
  std::size_t at = m_at;
  while (at < m_text.size() && isOneOf(m_text[at], kBlank)) ++at;
  if (at == m_text.size()) return {Token::Kind::End, at, 0, {}};
  const char first = m_text[at];
  if (first == '(') return {Token::Kind::Open, at, 1, "("};
  if (first == ')') return {Token::Kind::Close, at, 1, ")"};
  if (first == '"' || first == '\'') return quoted(at);
  if (!value && isOneOf(first, kOperatorBytes)) {
    const std::size_t length = operatorLength(m_text.substr(at));
    return {Token::Kind::Operator, at, length, std::string(m_text.substr(at, length))};
  }
  std::size_t end = at;
  while (end < m_text.size() && !isOneOf(m_text[end], kBlank) && !isOneOf(m_text[end], "()\"'") &&
         (value || !isOneOf(m_text[end], kOperatorBytes)))
    ++end;
  return {Token::Kind::Word, at, end - at, std::string(m_text.substr(at, end - at))};
}

Token QueryLexer::quoted(std::size_t at) const {
  const char quote = m_text[at];
  std::string text;
  for (std::size_t i = at + 1; i < m_text.size(); ++i) {
    if (m_text[i] == quote) return {Token::Kind::Quoted, at, i + 1 - at, text};
    if (m_text[i] == '\\' && i + 1 < m_text.size()) ++i;
    text += m_text[i];
  }
  return {Token::Kind::Unclosed, at, m_text.size() - at, text};
}

}  // namespace millrace
