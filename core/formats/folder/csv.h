// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Separators of lists whose paths may have spaces: a line has two cells.
constexpr char kAfterPath = '\x1e';   ///< the first spaces after a picture's path, or else the last
constexpr char kFirstSpace = '\x1f';  ///< the first spaces: class, then path

/// Reads comma-separated values as in RFC 4180: quoted cells that may contain doubled quotes and
/// line breaks; lines end in LF or CRLF, or in CR if there is no LF. Several spaces are one
/// separator; beside another separator, spaces around the quotes are left out. A UTF-8 byte order
/// mark and blank lines are skipped, and before the table a line `sep=;` and comments: lines with
/// `#` and without a separator. A quote inside an unquoted cell is an ordinary character. Memory is
/// bounded by the limits below. One thread; the text must outlive the reader.
class CsvReader {
 public:
  static constexpr std::size_t kMostCells = 1024;
  static constexpr std::size_t kLargestCell = std::size_t{1} << 16U;

  explicit CsvReader(std::string_view text, char separator = ',');

  enum class Row { Cells, Broken, End };
  /// Reads the next row. After a broken row, reading continues with the line after the one where it
  /// started.
  Row next();

  /// Cells of the last row; valid until the next call.
  const std::vector<std::string_view>& cells() const { return m_views; }
  /// Line where the last row starts, from 1.
  std::size_t line() const { return m_rowLine; }
  /// Why the last row is broken.
  const char* problem() const { return m_problem; }

 private:
  void passHead();
  void passSpaces();
  bool atLineEnd() const;
  void passLineEnd();
  Row dividedLine();
  bool cell(std::string& to);
  bool quotedCell(std::string& to);
  bool append(std::string& to, char c);
  Row broken();

  const std::string_view m_text;
  const char m_separator;
  char m_lineEnd = '\n';
  std::size_t m_at = 0;
  std::size_t m_line = 1;
  std::size_t m_rowStart = 0;
  std::size_t m_rowLine = 1;
  const char* m_problem = "";
  std::vector<std::string> m_cells;
  std::vector<std::string_view> m_views;
};

}  // namespace millrace
