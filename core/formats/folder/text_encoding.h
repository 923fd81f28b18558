// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace {

/// How the characters of a text file are stored.
enum class TextEncoding : std::uint8_t {
  Auto,    ///< Utf16 by its byte order mark or its zero bytes, Utf8 if valid, otherwise Latin1
  Utf8,    ///< a byte order mark is skipped
  Latin1,  ///< Windows-1252, which contains Latin-1
  Utf16,   ///< byte order by its mark, otherwise by the position of zero bytes
};

/// The encoding that `bytes` have; never Auto.
TextEncoding encodingOf(std::string_view bytes);
/// Whether text that is not UTF-8 is probably not in Windows-1252 either: its letters beyond ASCII
/// follow each other, as in Russian, Greek or Japanese.
bool isForeignText(std::string_view bytes);
/// The text as UTF-8 without a byte order mark. Utf8 returns invalid bytes unchanged.
std::string utf8Text(std::string_view bytes, TextEncoding encoding);
/// The text in Windows-1252; nullopt if it has a character that is not in it.
std::optional<std::string> latin1Text(std::string_view utf8);

}  // namespace millrace
