// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// "a, b and c"; empty if there are no words.
std::string joinWords(std::span<const std::string> words);
/// The items joined by `separator`.
std::string join(std::span<const std::string> items, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);

/// The candidate with the smallest edit distance to `word` (exchanged letters are one edit), or an
/// empty string if none is within a third of the word's length. For "did you mean" hints.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "3 runs", "1 run".
std::string counted(std::uint64_t count, std::string_view word);
/// "1 234 567": groups of three digits separated by plain spaces.
std::string grouped(std::uint64_t number);
/// "12.3 MB", in decimal units.
std::string humanBytes(double bytes);
/// "1.23 ms", "45 s", "2 min 5 s".
std::string humanSeconds(double seconds);

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view bytes);
/// `bytes` on one line: line breaks and tabs become spaces, the rest is visibleText
/// (visible_text.h). A file name can then neither break a table nor send commands to a terminal.
std::string singleLine(std::string_view bytes);

/// `text` with the letters A to Z in lower case; all other bytes stay.
std::string lowerCase(std::string_view text);

}  // namespace millrace
