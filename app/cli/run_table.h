// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// Rows of text under heads.
struct TextTable {
  std::vector<std::string> heads;
  std::vector<bool> numbers;  ///< for each column, numbers and times: right-aligned, never cut
  std::vector<std::vector<std::string>> rows;
};

/// The table in at most 80 columns: the widest texts are cut with ".."; where even that does not
/// do, each row is a block of lines "head  value". Newline at the end.
std::string tableText(const TextTable& table);

/// As RFC 4180 has it, with heads; lines end with a newline alone.
std::string csvText(const TextTable& table);
/// One cell of it, quoted where that is needed.
std::string csvCell(const std::string& text);

}  // namespace millrace::cli
