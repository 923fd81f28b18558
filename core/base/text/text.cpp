// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text/shown_units.h"
#include "core/base/text/visible_name.h"
#include "core/base/text/visible_text.h"

namespace millrace {

std::string join(std::span<const std::string> items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) {
    if (&item != items.data()) text += separator;
    text += item;
  }
  return text;
}

std::string joinWords(std::span<const std::string> words) {
  if (words.size() < 2) return join(words, "");
  return join(words.first(words.size() - 1), ", ") + " and " + words.back();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

namespace {

/// Damerau and Levenshtein's distance, in which no part is edited twice ("optimal string
/// alignment"): insertions, deletions, replacements and exchanges of two neighbours.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    older = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, last[j] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  // Long texts are not typing errors, and the search takes time by the product of the lengths.
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(word, candidate);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

std::string counted(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string humanBytes(double bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= kRoundedBytes && unit + 1 < kUnits.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} B", bytes);
  return fmt::format("{:.{}g} {}", bytes, kShownDigits, kUnits[unit]);
}

std::string humanSeconds(double seconds) {
  // Rounded first: 999.7 µs is 1 ms.
  const double shown = shownSeconds(seconds);
  if (shown < 1e-6) return fmt::format("{:.0f} ns", shown * 1e9);
  if (shown < 1e-3) return fmt::format("{:.{}g} µs", shown * 1e6, kShownDigits);
  if (shown < 1.0) return fmt::format("{:.{}g} ms", shown * 1e3, kShownDigits);
  if (shown < kShownMinutes) return fmt::format("{:.{}g} s", shown, kShownDigits);
  const auto whole = std::llround(shown);
  if (shown < kShownHours) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

namespace {

/// The length of the valid UTF-8 sequence at the start of `bytes` (Unicode 15, table 3-7), or 0.
std::size_t utf8Length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (length == 0 || bytes.size() < length || at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((at(i) & 0xC0U) != 0x80) return 0;
  return length;
}

}  // namespace

std::string validUtf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = utf8Length(bytes);
    if (length == 0)
      text += "\xEF\xBF\xBD";
    else
      text += bytes.substr(0, length);
    bytes.remove_prefix(std::max<std::size_t>(1, length));
  }
  return text;
}

namespace {

/// The code point of a valid UTF-8 sequence.
char32_t codePoint(std::string_view sequence) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return at(0);
  char32_t point = at(0) & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) point = point << 6U | (at(i) & 0x3FU);
  return point;
}

/// Characters that take no place on the screen, such as the soft hyphen, the zero-width space and
/// the byte order mark.
bool isWithoutWidth(char32_t point) {
  return point == 0x00AD || point == 0x180E || point == 0x200B ||
         (point >= 0x2060 && point <= 0x2064) || point == 0xFEFF ||
         (point >= 0xFFF9 && point <= 0xFFFB);
}

/// C1 controls, DEL, line separators, and marks that reorder the text around them (Unicode's
/// Bidi_Control).
bool isHiddenMark(char32_t point) {
  return isWithoutWidth(point) || (point >= 0x7F && point < 0xA0) || point == 0x061C ||
         point == 0x200E || point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

}  // namespace

std::string visibleText(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    const std::size_t length = utf8Length(bytes);
    const bool control = first < 0x20 && first != '\n' && first != '\t';
    if (length == 0 || control) {
      text += fmt::format("\\x{:02x}", first);
    } else if (const char32_t point = codePoint(bytes.substr(0, length)); isHiddenMark(point)) {
      text += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point));
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(1, length));
  }
  return text;
}

std::string visibleName(std::string_view bytes) {
  std::string line;
  for (const char c : bytes) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\r')
      line += "\\r";
    else if (c == '\t')
      line += "\\t";
    else
      line += c;
  }
  return visibleText(line);
}

std::string singleLine(std::string_view bytes) {
  std::string line(bytes);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return visibleText(line);
}

std::string lowerCase(std::string_view text) {
  std::string low(text);
  for (char& letter : low)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return low;
}

}  // namespace millrace
