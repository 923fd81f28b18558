// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// "a, b and c"; empty for no items.
std::string joinWords(std::span<const std::string> words);
/// Items with `separator` between them.
std::string join(std::span<const std::string> items, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);

/// The nearest of `candidates` by edit distance, or empty when none is within a third of the
/// word's length: for "did you mean".
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "3 runs", "1 run".
std::string counted(std::uint64_t count, std::string_view word);
/// "1 234 567", groups of three by narrow spaces' plain form.
std::string grouped(std::uint64_t number);
/// "12.3 MB", decimal units.
std::string humanBytes(double bytes);
/// "1.23 ms", "45 s", "2 min 5 s".
std::string humanSeconds(double seconds);

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD (CONTRACT §10).
std::string validUtf8(std::string_view bytes);
/// The same for a line of a page: line breaks and tabs become spaces, other control characters
/// U+FFFD, so that a name can neither break a table nor send a terminal commands.
std::string singleLine(std::string_view bytes);

}  // namespace millrace
