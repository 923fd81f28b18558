// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/ptx_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "tests/ptx/ptx_tokens.h"

namespace millrace::ptx {

namespace {

/// The position after the `;` or the closing brace of the directive that begins at `at`.
std::size_t endOfDirective(std::string_view text, std::size_t at, bool isFunction) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size() - 1);
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0 && isFunction) return at + 1;
    if (c == ';' && depth == 0) return at + 1;
  }
  return text.size();
}

/// The name in a function's header: after the results, before the parameters.
std::string_view nameOf(Tokens& tokens) {
  while (!tokens.atEnd() && tokens.peek() != ".entry" && tokens.peek() != ".func") tokens.take();
  tokens.take();
  if (tokens.takeIf("("))
    while (!tokens.atEnd() && !tokens.takeIf(")")) tokens.take();
  return tokens.take();
}

}  // namespace

bool typeOf(std::string_view name, Type& type) {
  using Kind = Type::Kind;
  static const std::map<std::string_view, Type> types = {
      {"pred", {Kind::Predicate, 0}}, {"b8", {Kind::Bits, 1}},      {"u8", {Kind::Unsigned, 1}},
      {"s8", {Kind::Signed, 1}},      {"b16", {Kind::Bits, 2}},     {"u16", {Kind::Unsigned, 2}},
      {"s16", {Kind::Signed, 2}},     {"f16", {Kind::Float, 2}},    {"bf16", {Kind::BFloat, 2}},
      {"b32", {Kind::Bits, 4}},       {"u32", {Kind::Unsigned, 4}}, {"s32", {Kind::Signed, 4}},
      {"f32", {Kind::Float, 4}},      {"b64", {Kind::Bits, 8}},     {"u64", {Kind::Unsigned, 8}},
      {"s64", {Kind::Signed, 8}},     {"f64", {Kind::Float, 8}}};
  const auto found = types.find(name);
  if (found == types.end()) return false;
  type = found->second;
  return true;
}

Module::Module(std::string text) : m_text(std::move(text)) { readTop(); }

void Module::readTop() {
  const std::string_view text = m_text;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view first = text.substr(at, end - at);
    if (first.starts_with(".target sm_")) m_target = std::atoi(first.data() + 11);
    const bool lineAlone = first.starts_with("//") || first.starts_with(".version") ||
                           first.starts_with(".target") || first.starts_with(".address_size") ||
                           first.starts_with(".file") || first.starts_with(".loc");
    if (!lineAlone) end = readDirective(at, line);
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                        text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at = end;
  }
}

std::size_t Module::readDirective(std::size_t at, int line) {
  const std::string_view text = m_text;
  const std::string_view head =
      text.substr(at, std::min(text.find_first_of("{;=", at), text.size()) - at);
  const bool isFunction =
      head.find(".entry") != std::string_view::npos || head.find(".func") != std::string_view::npos;
  const std::size_t end = endOfDirective(text, at, isFunction);
  const std::string_view all = text.substr(at, end - at);
  if (head.starts_with(".section")) return end;  // for debuggers
  if (isFunction) {
    Tokens tokens(head, line);
    if (all.ends_with('}')) m_places[nameOf(tokens)] = {all, line};
    return end;
  }
  Tokens tokens(all, line);
  bool isExtern = false;
  std::string_view space;
  while (space.empty()) {
    const std::string_view word = tokens.take();
    if (word == ".extern") {
      isExtern = true;
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      space = word.substr(1);
    } else if (word != ".visible" && word != ".weak") {
      tokens.fail("unknown directive `" + std::string(word) + "`");
    }
  }
  m_variables.push_back(readVariable(tokens, space));
  m_variables.back().isExtern = isExtern;
  return end;
}

const Function* Module::function(std::string_view name) {
  const auto found = m_places.find(name);
  if (found == m_places.end()) return nullptr;
  std::unique_ptr<Function>& function = m_functions[found->first];
  if (!function) function = readFunction(found->second.text, found->second.line);
  return function.get();
}

std::string_view Module::lineText(int line) const {
  const std::string_view text = m_text;
  std::size_t at = 0;
  for (int i = 1; i < line && at < text.size(); ++i)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  std::string_view found = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
  while (!found.empty() && std::isspace(static_cast<unsigned char>(found.front())) != 0)
    found.remove_prefix(1);
  return found;
}

}  // namespace millrace::ptx
