// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/csv_cell.h"

#include <charconv>

#include "core/base/text/visible_text.h"

namespace millrace {

namespace {

bool isNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, number);
  return code == std::errc{} && stopped == end;
}

bool looksLikeFormula(std::string_view text) {
  return !text.empty() &&
         std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
         !isNumber(text);
}

}  // namespace

std::string csvCell(std::string_view text) {
  std::string cell = looksLikeFormula(text) ? "'" : "";
  cell += visibleText(text);
  return csvBytes(cell);
}

std::string csvBytes(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace millrace
