// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// Rows of text with a header.
struct TextTable {
  std::vector<std::string> heads;
  std::vector<bool> numbers;  ///< for each column, numbers and times: right-aligned, never cut
  std::vector<std::vector<std::string>> rows;
};

/// The table in at most tableColumns(): the widest texts are cut with "..". If that is not enough,
/// each row becomes a block of lines "head  value". Newline at the end.
std::string tableText(const TextTable& table);

/// RFC 4180 with a header, except that lines end with a newline only.
std::string csvText(const TextTable& table);

}  // namespace millrace::cli
