// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/store/query_lexer.h"
#include "core/store/query_term.h"
#include "core/store/query_value.h"

namespace millrace {

namespace {

/// Limits for nesting and for the number of terms. SQLite's parser stack holds 100 symbols; one
/// level here needs at most seven of them.
constexpr int kMaxDepth = 10;
constexpr int kMaxTerms = 200;

/// Recursive descent parser. Each function returns nullopt once m_mistake is set.
class Parser {
 public:
  Parser(std::string_view text, const QueryVocabulary& vocabulary, WallTime now)
      : m_lexer(text), m_vocabulary(vocabulary), m_now(now) {}

  ParsedQuery parse() {
    if (m_lexer.peek().kind == Token::Kind::End) return {{"1", {}}, {}};
    std::optional<SqlPiece> condition = either();
    if (condition && m_lexer.peek().kind != Token::Kind::End)
      condition = wrong(m_lexer.peek(), afterTerm());
    if (!condition) return {{}, m_mistake};
    return {*std::move(condition), {}};
  }

 private:
  std::optional<SqlPiece> either() { return chain("or", &Parser::both); }
  std::optional<SqlPiece> both() { return chain("and", &Parser::inverse); }

  std::optional<SqlPiece> chain(std::string_view word, std::optional<SqlPiece> (Parser::*part)()) {
    std::optional<SqlPiece> all = (this->*part)();
    bool several = false;
    for (; all && m_lexer.peek().isKeyword(word); several = true) {
      m_lexer.take();
      std::optional<SqlPiece> next = (this->*part)();
      if (!next) return std::nullopt;
      all = *std::move(all) + (word == "or" ? "OR" : "AND") + *next;
    }
    if (!several) return all;
    return SqlPiece{"(", {}} + *all + ")";
  }

  std::optional<SqlPiece> inverse() {
    const Token token = m_lexer.peek();
    const bool turns = token.isKeyword("not");
    if (!turns && token.kind != Token::Kind::Open) return term();
    if (++m_depth > kMaxDepth) return wrong(token, "this is nested too deeply");
    m_lexer.take();
    std::optional<SqlPiece> inner = turns ? inverse() : either();
    --m_depth;
    if (!inner) return std::nullopt;
    if (turns) return SqlPiece{"NOT", {}} + *inner;
    if (m_lexer.peek().kind != Token::Kind::Close)
      return wrong(m_lexer.peek(), "expected `)`, `and` or `or`");
    m_lexer.take();
    return inner;
  }

  std::optional<SqlPiece> term() {
    const Token name = m_lexer.take();
    if (name.kind != Token::Kind::Word || name.isAnyKeyword())
      return wrong(name,
                   "expected a name, such as workers.count, samples_per_second or tag, or `not`");
    if (++m_terms > kMaxTerms)
      return wrong(name, fmt::format("there are more than {} comparisons", kMaxTerms));
    const auto field = findField(name.text, m_vocabulary);
    if (!field) return wrong(name, unknownFieldText(name.text, m_vocabulary));
    if (m_lexer.peek().kind != Token::Kind::Operator) {
      if (field->type == FieldType::Flag) return SqlPiece{"(", {}} + field->value + ")";
      return wrong(
          m_lexer.peek(),
          fmt::format("expected a comparison after `{}`: = != < <= > >= ~ (contains) or !~",
                      field->name));
    }
    return comparison(*field);
  }

  std::optional<SqlPiece> comparison(const QueryField& field) {
    const Token sign = m_lexer.take();
    const Token value = m_lexer.takeValue();
    if (value.kind != Token::Kind::Quoted && value.kind != Token::Kind::Word)
      return wrong(value, value.kind == Token::Kind::Unclosed ? "the quote is not closed"
                                                              : "expected a value");
    if (value.kind == Token::Kind::Word && value.isAnyKeyword())
      return wrong(value, fmt::format("expected a value; to use this word as a value write \"{}\"",
                                      value.text));
    QueryLiteral literal{value.text, {}, value.kind == Token::Kind::Quoted};
    Token last = value;
    if (!literal.quoted) last = takeUnit(field, literal, value);
    const Result<SqlPiece> condition = compare(field, operatorNamed(sign.text), literal, m_now);
    if (condition) return *condition;
    Token place = value;
    place.length = last.at + last.length - value.at;
    return wrong(place, condition.error().message);
  }

  /// Takes the tokens that belong to a number: "64 MiB", "2 days ago", and the time after a date.
  Token takeUnit(const QueryField& field, QueryLiteral& literal, const Token& value) {
    Token last = value;
    const auto number = numberPrefix(literal.text);
    if (!number || (!number->rest.empty() && !unitMeaning(number->rest))) return last;
    if (number->rest.empty() && unitMeaning(m_lexer.peekValue().text)) {
      last = m_lexer.takeValue();
      literal.text += last.text;
    }
    if (field.type == FieldType::Time && m_lexer.peek().isKeyword("ago")) {
      last = m_lexer.take();
      literal.suffix = "ago";
    }
    return last;
  }

  static std::string afterTerm() { return "expected `and`, `or` or the end"; }

  std::nullopt_t wrong(const Token& token, std::string message) {
    m_mistake = QueryMistake{token.at, std::max<std::size_t>(1, token.length), std::move(message)};
    return std::nullopt;
  }

  QueryLexer m_lexer;
  const QueryVocabulary& m_vocabulary;
  WallTime m_now;
  int m_depth = 0;
  int m_terms = 0;
  QueryMistake m_mistake;
};

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

ParsedQuery parseQuery(std::string_view text, const QueryVocabulary& vocabulary, WallTime now) {
  return Parser(text, vocabulary, now).parse();
}

std::string mistakeText(std::string_view query, const QueryMistake& mistake) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kWidth = 74;
  const std::size_t at = std::min(mistake.at, query.size());
  std::string before = singleLine(query.substr(0, at));
  std::string from = singleLine(query.substr(at));
  const auto drop = [](std::string& text) {
    do text.erase(0, 1);
    while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xc0U) == 0x80U);
  };
  if (columns(before) > kBefore) {
    while (columns(before) + 2 > kBefore) drop(before);
    before.insert(0, "..");
  }
  const std::size_t room = kWidth - columns(before);
  if (columns(from) > room) {
    while (columns(from) + 2 > room) {
      while (!from.empty() && (static_cast<unsigned char>(from.back()) & 0xc0U) == 0x80U)
        from.pop_back();
      from.pop_back();
    }
    from += "..";
  }
  const std::size_t marked = columns(singleLine(query.substr(at, mistake.length)));
  const std::string mark(std::clamp<std::size_t>(marked, 1, room) - 1, '~');
  return fmt::format("{}\n    {}{}\n    {}^{}\n", mistake.message, before, from,
                     std::string(columns(before), ' '), mark);
}

Result<std::vector<SortKey>> parseSort(std::string_view text, const QueryVocabulary& vocabulary) {
  std::vector<SortKey> keys;
  for (const std::string& part : split(text, ',')) {
    std::string_view name = trimmed(part);
    const bool descending = name.starts_with('-');
    if (descending) name.remove_prefix(1);
    auto field = findField(name, vocabulary);
    if (!field) return Error{unknownFieldText(name, vocabulary)};
    keys.push_back({*std::move(field), descending});
  }
  return keys;
}

Result<std::vector<QueryField>> parseColumns(std::string_view text,
                                             const QueryVocabulary& vocabulary) {
  std::vector<QueryField> columns;
  for (const std::string& part : split(text, ',')) {
    auto field = findField(trimmed(part), vocabulary);
    if (!field) return Error{unknownFieldText(trimmed(part), vocabulary)};
    columns.push_back(*std::move(field));
  }
  return columns;
}

}  // namespace millrace
