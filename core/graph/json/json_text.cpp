// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/json/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"

namespace millrace {

namespace {

using nlohmann::json;

/// Iterator over the text for the library; records how far the library has read.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char*& reached) : m_at(at), m_reached(&reached) {}
  reference operator*() const { return *m_at; }
  Cursor& operator++() {
    *m_reached = ++m_at;
    return *this;
  }
  bool operator==(const Cursor& other) const { return m_at == other.m_at; }
  bool operator!=(const Cursor& other) const { return m_at != other.m_at; }

 private:
  const char* m_at;
  const char** m_reached;
};

/// Builds the value and enforces the rules that the library does not have.
class Builder {
 public:
  /// `reached`: always points after the last byte that was read.
  Builder(std::string_view text, const char*& reached, std::size_t maxDepth)
      : m_text(text), m_reached(reached), m_maxDepth(maxDepth) {}

  json take() { return std::move(m_root); }
  const std::string& error() const { return m_error; }

  bool null() { return put(json()); }
  bool boolean(bool value) { return put(json(value)); }
  bool number_integer(std::int64_t value) { return put(json(value)); }
  bool number_unsigned(std::uint64_t value) { return put(json(value)); }
  bool number_float(double value, const std::string&) { return put(json(value)); }
  bool string(std::string& value) { return put(json(std::move(value))); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return m_open.pop_back(), true; }
  bool end_array() { return m_open.pop_back(), true; }

  bool key(std::string& key) {
    Container& top = m_open.back();
    top.key = std::move(key);
    if (!top.value->contains(top.key)) return true;
    // The closing quote was read last; report the position of the opening quote.
    const std::size_t end = readBytes();
    m_error = fmt::format("{}{} appears twice", place(m_text.rfind('"', end - 2)), path());
    return false;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    m_error = place(position == 0 ? 0 : position - 1) + reason(exception.what());
    return false;
  }

 private:
  struct Container {
    json* value = nullptr;
    std::string key;
  };

  std::size_t readBytes() const { return static_cast<std::size_t>(m_reached - m_text.data()); }

  /// "line 2, column 7: " of the byte `at`.
  std::string place(std::size_t at) const {
    const std::string_view before = m_text.substr(0, std::min(at, m_text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
    return fmt::format("line {}, column {}: ", line, before.size() - lineStart + 1);
  }

  bool put(json value) { return append(std::move(value)) != nullptr; }

  bool open(json container) {
    if (m_open.size() >= m_maxDepth) {
      m_error = fmt::format("{}nested deeper than {} levels", place(readBytes() - 1), m_maxDepth);
      return false;
    }
    m_open.push_back({append(std::move(container)), {}});
    return true;
  }

  json* append(json value) {
    if (m_open.empty()) return m_root = std::move(value), &m_root;
    Container& top = m_open.back();
    if (top.value->is_object()) return &((*top.value)[top.key] = std::move(value));
    top.value->push_back(std::move(value));
    return &top.value->back();
  }

  std::string path() const {
    std::string path;
    for (const Container& container : m_open)
      path += container.value->is_array() ? fmt::format("[{}]", container.value->size() - 1)
                                          : (path.empty() ? "" : ".") + container.key;
    return path;
  }

  /// The library's message without its position and with a bounded quotation.
  static std::string reason(std::string_view what) {
    const std::size_t dash = what.find(" - ");
    const std::size_t bracket = what.find("] ");
    if (dash != std::string_view::npos)
      what.remove_prefix(dash + 3);
    else if (bracket != std::string_view::npos)
      what.remove_prefix(bracket + 2);
    constexpr std::size_t kLongest = 160;
    if (what.size() <= kLongest) return validUtf8(what);
    return validUtf8(what.substr(0, 80)) + "..." + validUtf8(what.substr(what.size() - 60));
  }

  std::string_view m_text;
  const char*& m_reached;
  std::size_t m_maxDepth;
  json m_root;
  std::vector<Container> m_open;
  std::string m_error;
};

constexpr std::size_t kLineWidth = 100;

bool isPlain(const json& value) {
  return !value.is_structured() || value.empty() ||
         (value.is_array() && value.size() <= 16 &&
          std::none_of(value.begin(), value.end(),
                       [](const json& element) { return element.is_structured(); }));
}

std::string realText(double real) {
  if (!std::isfinite(real)) return "null";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), real).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string keyText(const std::string& key) {
  return json(key).dump(-1, ' ', false, json::error_handler_t::replace) + ": ";
}

std::string plainText(const json& value);

std::string oneLine(const json& container) {
  std::string text;
  for (const auto& [key, value] : container.items()) {
    if (!text.empty()) text += ", ";
    if (container.is_object()) text += keyText(key);
    text += plainText(value);
  }
  return container.is_object() ? "{" + text + "}" : "[" + text + "]";
}

std::string plainText(const json& value) {
  if (value.is_structured()) return oneLine(value);
  if (value.is_number_float()) return realText(value.get<double>());
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// `column`: column at which the value starts. The recursion depth is bounded by that of the input.
void write(const json& value, std::size_t indent, std::size_t column, std::string& text) {
  const bool flat = !value.is_structured() || std::all_of(value.begin(), value.end(), isPlain);
  if (flat) {
    const std::string line = plainText(value);
    if (!value.is_structured() || column + line.size() < kLineWidth) {
      text += line;
      return;
    }
  }
  const std::string inner(indent + 2, ' ');
  text += value.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    text += (first ? "" : ",\n") + inner;
    first = false;
    const std::string name = value.is_object() ? keyText(key) : "";
    text += name;
    write(element, indent + 2, inner.size() + name.size(), text);
  }
  text += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

Result<json> readJson(std::string_view text, std::size_t maxDepth) {
  const char* reached = text.data();
  Builder builder(text, reached, maxDepth);
  const char* const end = text.data() + text.size();
  if (!json::sax_parse(Cursor(text.data(), reached), Cursor(end, reached), &builder))
    return Error{builder.error()};
  // The library takes a NUL byte for the end, whatever follows it.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return Error{fmt::format("byte {} is NUL, which no JSON text contains", nul + 1)};
  return builder.take();
}

std::string jsonText(const json& value) {
  std::string text;
  write(value, 0, 0, text);
  return text;
}

}  // namespace millrace
