// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// A token of a query with its position.
struct Token {
  enum class Kind : std::uint8_t { Word, Quoted, Operator, Open, Close, Unclosed, End };
  Kind kind = Kind::End;
  std::size_t at = 0;
  std::size_t length = 0;
  std::string text;  ///< for Quoted: the text between the quotes

  /// Case does not matter; a quoted word is not a keyword.
  bool isKeyword(std::string_view word) const;
  bool isAnyKeyword() const;  ///< and, or, not
};

/// Splits a query into tokens. A name ends at an operator but a value does not ("2026-11-01T10:30",
/// "a=b"), so the parser says which one it expects. Inside single or double quotes, a backslash
/// makes the next character literal.
class QueryLexer {
 public:
  explicit QueryLexer(std::string_view text) : m_text(text) {}

  Token peek() const;
  Token take();
  Token peekValue() const;
  Token takeValue();

 private:
  Token read(bool value) const;
  Token quoted(std::size_t at) const;

  std::string_view m_text;
  std::size_t m_at = 0;
};

}  // namespace millrace
