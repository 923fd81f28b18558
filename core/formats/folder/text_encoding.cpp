// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleMark = "\xFF\xFE";
constexpr std::string_view kBigMark = "\xFE\xFF";
constexpr std::size_t kBytesExamined = 4096;

/// Windows-1252's characters 0x80 to 0x9F; the five unused ones are control characters.
constexpr std::array<char16_t, 32> kWindows = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void append(std::string& text, char32_t letter) {
  const auto put = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xC0 | letter >> 6U);
    return put(0x80 | (letter & 0x3F));
  }
  if (letter < 0x10000) {
    put(0xE0 | letter >> 12U);
  } else {
    put(0xF0 | letter >> 18U);
    put(0x80 | (letter >> 12U & 0x3F));
  }
  put(0x80 | (letter >> 6U & 0x3F));
  put(0x80 | (letter & 0x3F));
}

/// Zero bytes at even and at odd places of the beginning.
std::array<std::size_t, 2> zerosOf(std::string_view bytes) {
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < std::min(bytes.size(), kBytesExamined); ++i)
    if (bytes[i] == '\0') ++zeros[i % 2];
  return zeros;
}

bool isUtf16(std::string_view bytes) {
  if (bytes.starts_with(kLittleMark) || bytes.starts_with(kBigMark)) return true;
  const auto zeros = zerosOf(bytes);
  const std::size_t pairs = std::min(bytes.size(), kBytesExamined) / 2;
  return pairs >= 2 && 2 * std::max(zeros[0], zeros[1]) > pairs &&
         std::min(zeros[0], zeros[1]) == 0;
}

std::string fromUtf16(std::string_view bytes) {
  const auto zeros = zerosOf(bytes);
  const bool marked = bytes.starts_with(kLittleMark) || bytes.starts_with(kBigMark);
  const bool big = marked ? bytes.starts_with(kBigMark) : zeros[0] > zeros[1];
  if (marked) bytes.remove_prefix(2);
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big ? first << 8U | second : second << 8U | first);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    char32_t letter = unit(i);
    const bool high = letter >= 0xD800 && letter < 0xDC00;
    if (high && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
      i += 2;
      letter = 0x10000 + ((letter - 0xD800) << 10U) + (unit(i) - 0xDC00);
    } else if (letter >= 0xD800 && letter < 0xE000) {
      letter = 0xFFFD;
    }
    append(text, letter);
  }
  return text;
}

std::string fromLatin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append(text, byte >= 0x80 && byte < 0xA0 ? kWindows[byte - 0x80U] : byte);
  }
  return text;
}

/// The character at `at`, which then moves past it. The text is valid UTF-8.
char32_t nextLetter(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  char32_t letter = first & (0x3FU >> more);
  for (std::size_t i = 0; i < more && at < text.size(); ++i)
    letter = letter << 6U | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  return letter;
}

}  // namespace

TextEncoding encodingOf(std::string_view bytes) {
  if (isUtf16(bytes)) return TextEncoding::Utf16;
  if (bytes.starts_with(kUtf8Mark)) return TextEncoding::Utf8;
  return validUtf8(bytes) == bytes ? TextEncoding::Utf8 : TextEncoding::Latin1;
}

bool isForeignText(std::string_view bytes) {
  const auto beyondAscii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  std::size_t letters = 0;
  std::size_t together = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!beyondAscii(bytes[i])) continue;
    ++letters;
    if (i + 1 < bytes.size() && beyondAscii(bytes[i + 1])) ++together;
  }
  return letters > 1 && 2 * together > letters;
}

std::string utf8Text(std::string_view bytes, TextEncoding encoding) {
  if (encoding == TextEncoding::Auto) encoding = encodingOf(bytes);
  if (encoding == TextEncoding::Utf16) return fromUtf16(bytes);
  if (encoding == TextEncoding::Latin1) return fromLatin1(bytes);
  if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
  return std::string(bytes);
}

std::optional<std::string> latin1Text(std::string_view utf8) {
  if (validUtf8(utf8) != utf8) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t letter = nextLetter(utf8, at);
    const auto* found = std::ranges::find(kWindows, letter);
    if (letter < 0x80 || (letter >= 0xA0 && letter < 0x100))
      bytes.push_back(static_cast<char>(letter));
    else if (found != kWindows.end())
      bytes.push_back(static_cast<char>(0x80 + (found - kWindows.begin())));
    else
      return std::nullopt;
  }
  return bytes;
}

}  // namespace millrace
