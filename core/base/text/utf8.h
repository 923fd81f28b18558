// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// Appends a letter, at most U+10FFFF, as UTF-8.
inline void appendUtf8(std::string& text, char32_t letter) {
  const auto byte = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (letter < 0x80) return byte(letter);
  if (letter < 0x800) {
    byte(0xC0 | letter >> 6U);
  } else if (letter < 0x10000) {
    byte(0xE0 | letter >> 12U);
    byte(0x80 | (letter >> 6U & 0x3F));
  } else {
    byte(0xF0 | letter >> 18U);
    byte(0x80 | (letter >> 12U & 0x3F));
    byte(0x80 | (letter >> 6U & 0x3F));
  }
  byte(0x80 | (letter & 0x3F));
}

}  // namespace millrace
