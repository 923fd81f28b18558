// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/python_literal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

bool isUtf8(std::string_view bytes) { return validUtf8(bytes) == bytes; }

/// The character that starts at `at`, and its length. `text` must be valid UTF-8.
std::pair<char32_t, std::size_t> characterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t value = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = value << 6U | (byte(i) & 0x3fU);
  return {value, length};
}

/// Characters that break lines, are invisible, or reorder the text around them.
bool isHidden(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
         (c >= 0xe0000 && c <= 0xe0fff);
}

std::string escaped(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  if (c < 0x100) return fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
  if (c < 0x10000) return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
  return fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c));
}

std::string bytesLiteral(std::string_view bytes) {
  std::string text = "b\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      text += {'\\', c};
    else if (byte < 0x20 || byte >= 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + "\"";
}

std::string tupleOf(const std::vector<std::string>& items) {
  if (items.size() == 1) return "(" + items.front() + ",)";
  return "(" + join(items, ", ") + ")";
}

/// An outermost pair of brackets in `code`, and the items between them.
struct Brackets {
  std::size_t open = 0;
  std::size_t close = 0;
  std::vector<std::string> items;
};

/// Scans one line of Python for brackets and commas outside of strings.
class Scanner {
 public:
  explicit Scanner(std::string_view code) : m_code(code) {}

  /// The longest pair that has at least one item.
  std::optional<Brackets> longestPair() {
    std::vector<std::size_t> open;
    Brackets found;
    for (std::size_t i = 0; i < m_code.size(); ++i) {
      if (skipText(i)) continue;
      const char c = m_code[i];
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if ((c != ')' && c != ']' && c != '}') || open.empty()) continue;
      if (open.size() == 1 && i - open.front() > found.close - found.open) {
        found.open = open.front();
        found.close = i;
      }
      open.pop_back();
    }
    if (found.close <= found.open + 1) return std::nullopt;
    found.items = split(found.open + 1, found.close);
    return found;
  }

 private:
  /// Moves `i` from an opening quote to the closing one; false if `i` is not at a quote.
  bool skipText(std::size_t& i) const {
    const char quote = m_code[i];
    if (quote != '"' && quote != '\'') return false;
    for (++i; i < m_code.size() && m_code[i] != quote; ++i)
      if (m_code[i] == '\\') ++i;
    return true;
  }

  std::vector<std::string> split(std::size_t from, std::size_t to) const {
    std::vector<std::string> items;
    std::size_t start = from;
    int depth = 0;
    for (std::size_t i = from; i < to; ++i) {
      if (skipText(i)) continue;
      const char c = m_code[i];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c != ',' || depth > 0) continue;
      items.emplace_back(trimmed(m_code.substr(start, i - start)));
      start = i + 1;
    }
    const std::string_view last = trimmed(m_code.substr(start, to - start));
    if (!last.empty()) items.emplace_back(last);
    return items;
  }

  std::string_view m_code;
};

/// Approximate number of screen columns: the number of code points.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  return count;
}

bool isNumber(std::string_view item) {
  return !item.empty() && item.find_first_not_of("+-.0123456789e") == std::string_view::npos;
}

/// Numbers, as many on a line as fit.
std::string filled(const std::vector<std::string>& numbers, std::size_t indent, std::size_t width) {
  const std::string inner = "\n" + std::string(indent, ' ');
  std::string text;
  std::size_t used = width;
  for (const std::string& number : numbers) {
    const bool fits = used + 2 + number.size() <= width;
    text += fits ? " " : inner;
    text += number;
    text += ',';
    used = (fits ? used + 1 : indent) + number.size() + 1;
  }
  return text;
}

std::string wrappedItem(std::string_view code, std::size_t indent, std::size_t width,
                        std::size_t behind) {
  if (indent + columns(code) + behind <= width || code.find('\n') != std::string_view::npos)
    return std::string(code);
  const std::optional<Brackets> pair = Scanner(code).longestPair();
  if (!pair) return std::string(code);
  const std::string inner(indent + 4, ' ');
  std::string text(code.substr(0, pair->open + 1));
  const std::string tail = "\n" + std::string(indent, ' ') + std::string(code.substr(pair->close));
  // With one item, only a tuple needs the comma.
  const bool commas = pair->items.size() > 1 || code[pair->close - 1] == ',';
  const std::string together = join(pair->items, ", ");
  if (pair->items.size() > 1 && indent + 4 + columns(together) <= width) {
    text += "\n" + inner + together;
    return text + tail;
  }
  if (pair->items.size() > 1 && std::all_of(pair->items.begin(), pair->items.end(), isNumber))
    return text + filled(pair->items, indent + 4, width) + tail;
  for (const std::string& item : pair->items) {
    text += "\n" + inner + wrappedItem(item, indent + 4, width, 1);
    if (commas) text += ",";
  }
  return text + tail;
}

}  // namespace

std::string pythonText(std::string_view bytes) {
  if (pythonTextNeedsOs(bytes)) return "os.fsdecode(" + bytesLiteral(bytes) + ")";
  std::string text = "\"";
  for (std::size_t at = 0; at < bytes.size();) {
    const auto [c, length] = characterAt(bytes, at);
    if (c == '"' || c == '\\')
      text += {'\\', static_cast<char>(c)};
    else if (isHidden(c))
      text += escaped(c);
    else
      text += bytes.substr(at, length);
    at += length;
  }
  return text + "\"";
}

bool pythonTextNeedsOs(std::string_view bytes) { return !isUtf8(bytes); }

std::string pythonReal(double value) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string pythonBool(bool value) { return value ? "True" : "False"; }

std::string pythonReals(std::span<const double> values) {
  std::vector<std::string> items;
  for (const double value : values) items.push_back(pythonReal(value));
  return tupleOf(items);
}

std::string pythonTexts(std::span<const std::string> values) {
  std::vector<std::string> items;
  for (const std::string& value : values) items.push_back(pythonText(value));
  return tupleOf(items);
}

std::string commentText(std::string_view text) {
  const std::string valid = validUtf8(text);
  std::string line;
  for (std::size_t at = 0; at < valid.size();) {
    const auto [c, length] = characterAt(valid, at);
    if (isHidden(c))
      line += ' ';
    else
      line += valid.substr(at, length);
    at += length;
  }
  return line;
}

std::string wrappedPython(std::string_view code, std::size_t indent, std::size_t width) {
  return wrappedItem(code, indent, width, 0);
}

}  // namespace millrace
