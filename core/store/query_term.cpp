// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query_term.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

using enum QueryOperator;

bool isOrder(QueryOperator c) {
  return c == Less || c == LessEqual || c == Greater || c == GreaterEqual;
}
bool isTextOnly(QueryOperator c) { return c == Holds || c == HoldsNot; }

std::string_view sqlSign(QueryOperator op) {
  constexpr std::array<std::string_view, 6> kSigns = {"=", "<>", "<", "<=", ">", ">="};
  return kSigns[static_cast<std::size_t>(op)];
}

/// A comparison with NULL gives 0 instead of NULL, so that `not` inverts it.
SqlPiece matches(const SqlPiece& value, std::string_view sign, SqlValue with) {
  return SqlPiece{"ifnull(", {}} + value + sign + SqlPiece{"?, 0)", {std::move(with)}};
}

SqlPiece textMatches(const SqlPiece& value, QueryOperator op, const std::string& text) {
  if (!isTextOnly(op)) return matches(value, sqlSign(op), text);
  return SqlPiece{"ifnull(instr(lower(", {}} + value +
         SqlPiece{op == Holds ? "), lower(?)) > 0, 0)" : "), lower(?)) = 0, 0)", {text}};
}

std::string shown(const QueryLiteral& literal) {
  return "`" + singleLine(literal.text) + (literal.suffix.empty() ? "" : " " + literal.suffix) +
         "`";
}

/// The number converted to the field's unit.
Result<double> numberFor(const QueryField& field, const QueryLiteral& literal) {
  const auto number = literal.quoted ? std::nullopt : numberPrefix(literal.text);
  const auto unit = number ? unitMeaning(number->rest) : std::nullopt;
  if (!number || (!number->rest.empty() && !unit))
    return Error{fmt::format("{} is a number{}; {} is not", field.name,
                             field.unit.empty() ? "" : " (" + field.unit + ")", shown(literal))};
  if (!unit) return number->number;
  const auto own = unitMeaning(field.unit);
  if (!own || own->of != unit->of)
    return Error{fmt::format("{} is {}, it cannot be compared with {}", field.name,
                             field.unit.empty() ? "a number without a unit" : "in " + field.unit,
                             shown(literal))};
  return number->number * unit->factor / own->factor;
}

Error noOrderIn(const QueryField& field, std::string_view allowed) {
  return {fmt::format("{} takes only {}", field.name, allowed)};
}

Result<SqlPiece> compareNumber(const QueryField& field, const SqlPiece& value, QueryOperator op,
                               const QueryLiteral& literal) {
  if (isTextOnly(op))
    return Error{fmt::format("{} is a number: it takes = != < <= > >=", field.name)};
  MILLRACE_ASSIGN_OR_RETURN(const auto number, numberFor(field, literal));
  return matches(value, sqlSign(op), number);
}

std::optional<bool> flagNamed(const QueryLiteral& literal) {
  constexpr std::array<std::string_view, 4> kYes = {"true", "yes", "on", "1"};
  constexpr std::array<std::string_view, 4> kNo = {"false", "no", "off", "0"};
  if (std::ranges::find(kYes, literal.text) != kYes.end()) return true;
  if (std::ranges::find(kNo, literal.text) != kNo.end()) return false;
  return std::nullopt;
}

Result<SqlPiece> compareFlag(const QueryField& field, const SqlPiece& value, QueryOperator op,
                             const QueryLiteral& literal) {
  const auto flag = flagNamed(literal);
  if (!flag) return Error{fmt::format("{} is true or false, not {}", field.name, shown(literal))};
  if (isOrder(op) || isTextOnly(op)) return noOrderIn(field, "= and !=");
  return matches(value, sqlSign(op), std::int64_t{*flag ? 1 : 0});
}

/// `started = 2026-11-01` means any moment of that day; < means before its first, > after its
/// first.
Result<SqlPiece> compareTime(const QueryField& field, QueryOperator op, const QueryLiteral& literal,
                             WallTime now) {
  std::optional<WallTimeSpan> span = timeNamed(literal.text, now);
  if (literal.suffix == "ago") {
    const auto number = numberPrefix(literal.text);
    const auto unit = number ? unitMeaning(number->rest) : std::nullopt;
    constexpr double kLongest = 1e10;  // seconds: some 300 years
    if (unit && unit->of == UnitMeaning::Of::Seconds &&
        std::abs(number->number * unit->factor) < kLongest) {
      const auto ago =
          std::chrono::milliseconds(static_cast<std::int64_t>(number->number * unit->factor * 1e3));
      span = WallTimeSpan{now - ago, now - ago};
    }
  }
  if (!span)
    return Error{fmt::format(
        "{} is a time, such as 2026-11-01, 2026-11-01T10:30, today or 2 days ago; {} is not",
        field.name, shown(literal))};
  if (isTextOnly(op)) return noOrderIn(field, "= != < <= > and >=");
  const std::int64_t begin = span->begin.time_since_epoch().count();
  const std::int64_t last = std::max(begin, span->end.time_since_epoch().count() - 1);
  const SqlPiece from = matches(field.value, ">=", begin);
  const SqlPiece to = matches(field.value, "<=", last);
  if (op == Equal) return SqlPiece{"(", {}} + from + "AND" + to + ")";
  if (op == Unequal)
    return SqlPiece{"(", {}} + field.value + "IS NOT NULL AND NOT (" + from + "AND" + to + "))";
  return matches(field.value, sqlSign(op), op == LessEqual ? last : begin);
}

Result<SqlPiece> compareTags(const QueryField& field, QueryOperator op,
                             const QueryLiteral& literal) {
  if (isOrder(op)) return noOrderIn(field, "tag:NAME, =, !=, ~ and !~");
  const bool isNot = op == Unequal || op == HoldsNot;
  const QueryOperator positive = isTextOnly(op) ? Holds : Equal;
  return SqlPiece{isNot ? "NOT EXISTS" : "EXISTS", {}} +
         "(SELECT 1 FROM tags WHERE run_id = runs.id AND" +
         textMatches({"tag", {}}, positive, literal.text) + ")";
}

Result<SqlPiece> compareSetting(const QueryField& field, QueryOperator op,
                                const QueryLiteral& literal) {
  const KnownSetting& setting = field.setting;
  if (setting.flag && !literal.quoted && flagNamed(literal) && !setting.number)
    return compareFlag(field, settingValue(field.name, "'integer'"), op, literal);
  const bool asNumber = setting.number && !isTextOnly(op) &&
                        (!setting.text || (!literal.quoted && numberPrefix(literal.text)));
  if (asNumber)
    return compareNumber(field, settingValue(field.name, "'integer', 'real'"), op, literal);
  if (setting.text) return textMatches(settingValue(field.name, "'text'"), op, literal.text);
  if (setting.number)
    return compareNumber(field, settingValue(field.name, "'integer', 'real'"), op, literal);
  return compareFlag(field, settingValue(field.name, "'integer'"), op, literal);
}

Result<SqlPiece> compareText(const QueryField& field, QueryOperator op,
                             const QueryLiteral& literal) {
  if (field.name == "state" && !isTextOnly(op)) {
    std::vector<std::string> states;
    for (int i = 0; i < 4; ++i) states.emplace_back(nameOf(static_cast<RunState>(i)));
    if (std::ranges::find(states, literal.text) == states.end())
      return Error{fmt::format("state is {}, not {}", joinWords(states), shown(literal))};
  }
  return textMatches(field.value, op, literal.text);
}

}  // namespace

QueryOperator operatorNamed(std::string_view sign) {
  if (sign == "!=" || sign == "<>") return Unequal;
  if (sign == "<") return Less;
  if (sign == "<=") return LessEqual;
  if (sign == ">") return Greater;
  if (sign == ">=") return GreaterEqual;
  if (sign == "~") return Holds;
  if (sign == "!~") return HoldsNot;
  return Equal;
}

Result<SqlPiece> compare(const QueryField& field, QueryOperator op, const QueryLiteral& literal,
                         WallTime now) {
  switch (field.type) {
    case FieldType::Number: return compareNumber(field, field.value, op, literal);
    case FieldType::Flag: return compareFlag(field, field.value, op, literal);
    case FieldType::Time: return compareTime(field, op, literal, now);
    case FieldType::Tags: return compareTags(field, op, literal);
    case FieldType::Setting: return compareSetting(field, op, literal);
    case FieldType::Text: return compareText(field, op, literal);
  }
  return Error{"a field without a type"};
}

}  // namespace millrace
