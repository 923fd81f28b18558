// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// A word of a query with its place.
struct Token {
  enum class Kind : std::uint8_t { Word, Quoted, Operator, Open, Close, Unclosed, End };
  Kind kind = Kind::End;
  std::size_t at = 0;
  std::size_t length = 0;
  std::string text;  ///< of Quoted: what stands between the quotes

  /// Letters in either case; a quoted word is no keyword.
  bool isKeyword(std::string_view word) const;
  bool isAnyKeyword() const;  ///< and, or, not
};

/// Cuts a query into words. A name ends at an operator, a value does not ("2026-11-01T10:30",
/// "a=b"): so the parser says which it wants. In quotes, single or double, a backslash takes the
/// next character as it is.
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
