// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/formula.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <muParser.h>

namespace millrace::nodes {

struct Formula::Parts {
  mu::Parser parser;
  std::vector<double> values;  // the parser points into it, so its size must not change
  std::vector<std::size_t> uses;
};

Formula::Formula(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

namespace {

/// muParser counts positions from 0; some errors have none.
Error said(const mu::ParserError& error) {
  std::string what = error.GetMsg();
  if (what.ends_with('.')) what.pop_back();
  return {what};
}

/// muParser would accept `x = 1` as an assignment.
bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool comparison =
        (i + 1 < text.size() && text[i + 1] == '=') ||
        (i > 0 && std::string_view("=!<>").find(text[i - 1]) != std::string::npos);
    if (!comparison) return true;
  }
  return false;
}

/// muParser reads numbers with streams of one locale, whose cache the first one fills without a
/// lock. After this, any thread may parse.
void fillLocaleCache() {
  [[maybe_unused]] static const double once = [] {
    mu::Parser parser;
    parser.SetExpr("1");
    return parser.Eval();
  }();
}

}  // namespace

Result<Formula> Formula::make(const std::string& text, const std::vector<std::string>& variables) {
  fillLocaleCache();
  if (assigns(text)) return Error{"write comparisons with two equals signs"};
  auto parts = std::make_unique<Parts>();
  parts->values.assign(variables.size(), 1.0);
  try {
    for (std::size_t i = 0; i < variables.size(); ++i)
      parts->parser.DefineVar(variables[i], &parts->values[i]);
    parts->parser.SetExpr(text);
    for (const auto& [name, place] : parts->parser.GetUsedVar()) {
      const auto found = std::find(variables.begin(), variables.end(), name);
      if (found == variables.end())
        return Error{fmt::format("`{}` is neither a numeric field nor a function", name)};
      parts->uses.push_back(static_cast<std::size_t>(found - variables.begin()));
    }
    int results = 0;
    parts->parser.Eval(results);
    if (results != 1) return Error{"it has several values separated by commas"};
  } catch (const mu::ParserError& error) {
    return said(error);
  }
  std::sort(parts->uses.begin(), parts->uses.end());
  return Formula(std::move(parts));
}

const std::vector<std::size_t>& Formula::uses() const { return m_parts->uses; }

double& Formula::variable(std::size_t index) { return m_parts->values[index]; }

double Formula::value() const {
  // The formula was parsed by `make`, so no error is possible.
  return m_parts->parser.Eval();
}

}  // namespace millrace::nodes
