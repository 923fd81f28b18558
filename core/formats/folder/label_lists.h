// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Cells of a table with several labels: `cat dog`, `cat|dog`, `["cat", "dog"]`.

/// What divides them in text; kBrackets: a list as in JSON or Python.
constexpr std::string_view kLabelSeparators = "|;, ";
constexpr char kBrackets = '[';
constexpr char kNoSeparator = '\0';

/// The labels of a cell, without quotes and spaces at their ends; none of an empty cell.
std::vector<std::string> labelsIn(std::string_view cell, char separator);

/// What divides the labels of these cells; kNoSeparator: each is one label. Spaces and commas also
/// occur in names, so they count only if the parts are used in several ways: alone, or in more
/// combinations than there are parts.
char findLabelSeparator(std::span<const std::string> cells);

/// "`|`", "spaces", "brackets".
std::string separatorText(char separator);

}  // namespace millrace
