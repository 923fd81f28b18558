// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "tests/ptx/ptx_text.h"

namespace millrace::ptx {

/// A word (names, opcodes and numbers with their dots), a string, or one punctuation mark.
struct Token {
  std::string_view text;
  int line = 0;
};

std::vector<Token> tokensOf(std::string_view text, int line);

/// Reads tokens in order. The end is an empty token.
class Tokens {
 public:
  Tokens(std::string_view text, int line) : m_all(tokensOf(text, line)), m_line(line) {}

  std::string_view peek(std::size_t ahead = 0) const {
    return m_at + ahead < m_all.size() ? m_all[m_at + ahead].text : std::string_view();
  }
  std::string_view take() { return m_at < m_all.size() ? m_all[m_at++].text : std::string_view(); }
  bool takeIf(std::string_view text) {
    if (peek() != text) return false;
    ++m_at;
    return true;
  }
  void must(std::string_view text) {
    if (!takeIf(text)) fail("expected `" + std::string(text) + "`");
  }
  void skipLine();
  bool atEnd() const { return m_at >= m_all.size(); }
  int line() const {
    return m_all.empty() ? m_line : m_all[m_at < m_all.size() ? m_at : m_all.size() - 1].line;
  }
  /// Reads an integer with its sign.
  std::int64_t takeInteger();
  [[noreturn]] void fail(const std::string& why) const;

 private:
  const std::vector<Token> m_all;
  const int m_line;
  std::size_t m_at = 0;
};

/// Parses `.align 8 .b8 name[48]` after its space; also with initial values.
Variable readVariable(Tokens& tokens, std::string_view space);
/// Parses from `.entry` or `.func` on, including the body.
std::unique_ptr<Function> readFunction(std::string_view text, int line);

}  // namespace millrace::ptx
