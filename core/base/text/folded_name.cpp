// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/folded_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/text/utf8.h"

namespace millrace {

namespace {

struct Decomposition {
  char32_t whole;
  char32_t first;
  char32_t mark;
};
constexpr Decomposition kDecompositions[] = {
#include "core/base/text/decompositions.def"
};

/// The letter at the start of `text` and its number of bytes; 0 bytes: not UTF-8.
struct Letter {
  char32_t value = 0;
  std::size_t bytes = 0;
};
Letter letterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t bytes = first < 0x80             ? 1
                            : (first & 0xE0) == 0xC0 ? 2
                            : (first & 0xF0) == 0xE0 ? 3
                            : (first & 0xF8) == 0xF0 ? 4
                                                     : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t value = bytes == 1 ? first : first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  return {value, bytes};
}

/// Simple case folding of the scripts that file systems commonly fold.
char32_t lowered(char32_t letter) {
  const auto within = [&](char32_t from, char32_t to) { return letter >= from && letter <= to; };
  if (within('A', 'Z')) return letter + 32;
  if ((within(0xC0, 0xDE) && letter != 0xD7) || within(0x391, 0x3A9) || within(0x410, 0x42F))
    return letter + 32;
  if (within(0x400, 0x40F)) return letter + 80;
  return letter;
}

void appendDecomposed(std::string& text, char32_t letter) {
  constexpr char32_t kHangul = 0xAC00;
  constexpr char32_t kHangulEnd = 0xD7A4;
  if (letter >= kHangul && letter < kHangulEnd) {  // Unicode, 3.12: arithmetic decomposition.
    const char32_t at = letter - kHangul;
    appendUtf8(text, 0x1100 + at / 588);
    appendUtf8(text, 0x1161 + at % 588 / 28);
    if (at % 28 != 0) appendUtf8(text, 0x11A7 + at % 28);
    return;
  }
  const auto* found = std::lower_bound(
      std::begin(kDecompositions), std::end(kDecompositions), letter,
      [](const Decomposition& entry, char32_t value) { return entry.whole < value; });
  if (found == std::end(kDecompositions) || found->whole != letter)
    return appendUtf8(text, lowered(letter));
  appendDecomposed(text, found->first);
  appendUtf8(text, found->mark);
}

}  // namespace

std::string foldedName(std::string_view name) {
  std::string text;
  text.reserve(name.size());
  while (!name.empty()) {
    if (const auto first = static_cast<unsigned char>(name.front()); first < 0x80) {
      text.push_back(static_cast<char>(lowered(first)));
      name.remove_prefix(1);
      continue;
    }
    const Letter letter = letterAt(name);
    if (letter.bytes == 0)
      text.push_back(name.front());
    else
      appendDecomposed(text, letter.value);
    name.remove_prefix(std::max<std::size_t>(letter.bytes, 1));
  }
  return text;
}

std::string looseName(std::string_view name) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string folded = foldedName(name);
  std::string loose;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const bool begins = i == 0 || !isDigit(folded[i - 1]);
    if (begins)
      while (folded[i] == '0' && i + 1 < folded.size() && isDigit(folded[i + 1])) ++i;
    loose += folded[i];
  }
  return loose;
}

}  // namespace millrace
