// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/value.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

std::string_view nameOf(ParamType type) {
  switch (type) {
    case ParamType::Integer: return "integer";
    case ParamType::Real: return "real";
    case ParamType::Text: return "text";
    case ParamType::Boolean: return "boolean";
    case ParamType::Choice: return "choice";
    case ParamType::Path: return "path";
    case ParamType::RealList: return "list of reals";
    case ParamType::TextList: return "list of texts";
    case ParamType::PathList: return "list of paths";
  }
  return "?";
}

namespace {

/// The shortest text that reads back as the same number, and that is recognisable as a real.
std::string textOfReal(double real) {
  std::string text = fmt::format("{}", real);
  return text;
}

struct TextOf {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return textOfReal(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const TextList& value) const { return join(value, ","); }
  std::string operator()(const RealList& value) const {
    std::string text;
    for (const double real : value) text += (text.empty() ? "" : ",") + textOfReal(real);
    return text;
  }
};

template <class Number>
bool parseNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

Error expected(std::string_view what, std::string_view found) {
  return Error{fmt::format("expected {}, found `{}`", what, found)};
}

Result<Value> parseReal(std::string_view text) {
  double real = 0;
  if (!parseNumber(text, real) || !std::isfinite(real)) return expected("a number", text);
  return Value{real};
}

/// Also in brackets, as a Python list or tuple.
Result<Value> parseReals(std::string_view text) {
  RealList reals;
  std::string_view list = trimmed(text);
  if ((list.starts_with('[') && list.ends_with(']')) ||
      (list.starts_with('(') && list.ends_with(')')))
    list = trimmed(list.substr(1, list.size() - 2));
  if (list.empty()) return Value{reals};
  for (const std::string& part : split(list, ',')) {
    const Result<Value> real = parseReal(trimmed(part));
    if (!real) return expected("comma-separated numbers", text);
    reals.push_back(std::get<double>(*real));
  }
  return Value{reals};
}

Result<Value> parseBoolean(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on" || text == "1") return Value{true};
  if (text == "false" || text == "no" || text == "off" || text == "0") return Value{false};
  return expected("true or false", text);
}

}  // namespace

std::string textOf(const Value& value) { return std::visit(TextOf{}, value); }

Result<Value> parseValue(ParamType type, std::string_view text) {
  switch (type) {
    case ParamType::Integer: {
      std::int64_t integer = 0;
      if (!parseNumber(trimmed(text), integer)) return expected("a whole number", text);
      return Value{integer};
    }
    case ParamType::Real: return parseReal(trimmed(text));
    case ParamType::Boolean: return parseBoolean(trimmed(text));
    case ParamType::RealList: return parseReals(text);
    case ParamType::TextList:
    case ParamType::PathList: return text.empty() ? Value{TextList{}} : Value{split(text, ',')};
    case ParamType::Text:
    case ParamType::Choice:
    case ParamType::Path: break;
  }
  return Value{std::string(text)};
}

namespace {

Error wrongType(ParamType type, const Value& value) {
  constexpr std::string_view kFound[] = {"a boolean", "a whole number",    "a number",
                                         "a text",    "a list of numbers", "a list of texts"};
  const std::string_view name = nameOf(type);
  return Error{fmt::format("expected {} {}, found {} `{}`", name.front() == 'i' ? "an" : "a", name,
                           kFound[value.index()], textOf(value))};
}

bool isText(ParamType type) {
  return type == ParamType::Text || type == ParamType::Choice || type == ParamType::Path;
}

bool isTextList(ParamType type) {
  return type == ParamType::TextList || type == ParamType::PathList;
}

}  // namespace

Result<Value> convertValue(ParamType type, const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const auto* text = std::get_if<std::string>(&value);
  const auto* reals = std::get_if<RealList>(&value);
  const auto* texts = std::get_if<TextList>(&value);
  if (type == ParamType::Boolean && std::holds_alternative<bool>(value)) return value;
  if (type == ParamType::Integer && integer != nullptr) return value;
  constexpr double kExact = 9007199254740992.0;  // 2^53: whole doubles up to this are exact
                                                 // integers
  if (type == ParamType::Integer && real != nullptr && std::abs(*real) <= kExact &&
      *real == std::floor(*real))
    return Value{static_cast<std::int64_t>(*real)};
  if (type == ParamType::Real && real != nullptr) return value;
  if (type == ParamType::Real && integer != nullptr) return Value{static_cast<double>(*integer)};
  if (isText(type) && text != nullptr) return value;
  if (type == ParamType::RealList && reals != nullptr) return value;
  if (type == ParamType::RealList && integer != nullptr)
    return Value{RealList{static_cast<double>(*integer)}};
  if (type == ParamType::RealList && real != nullptr) return Value{RealList{*real}};
  if (type == ParamType::RealList && texts != nullptr && texts->empty()) return Value{RealList{}};
  if (isTextList(type) && texts != nullptr) return value;
  if (isTextList(type) && reals != nullptr && reals->empty()) return Value{TextList{}};
  if (isTextList(type) && text != nullptr) return Value{TextList{*text}};
  return wrongType(type, value);
}

}  // namespace millrace
