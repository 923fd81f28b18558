// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/csv.h"

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"

namespace millrace {

namespace {

bool endsLikePicture(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  return dot != std::string_view::npos && isPictureExtension(text.substr(dot + 1));
}

/// Where the first cell of a line ends.
std::size_t firstCell(std::string_view line, char separator) {
  if (separator == kFirstSpace) return line.find(' ');
  for (std::size_t at = line.find(' '); at != std::string_view::npos; at = line.find(' ', at + 1))
    if (endsLikePicture(line.substr(0, at))) return at;
  return line.rfind(' ');
}

/// Without quotes around it.
std::string_view unquoted(std::string_view cell) {
  const bool quoted = cell.size() > 1 && cell.front() == cell.back() &&
                      (cell.front() == '"' || cell.front() == '\'');
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, char separator) : m_text(text), m_separator(separator) {
  if (m_text.starts_with("\xEF\xBB\xBF")) m_at = 3;
  if (m_text.find('\n') == std::string_view::npos) m_lineEnd = '\r';
  passHead();
}

void CsvReader::passHead() {
  for (bool first = true; m_at < m_text.size(); first = false) {
    const std::string_view line = m_text.substr(m_at, m_text.find(m_lineEnd, m_at) - m_at);
    const bool names = first && (line.starts_with("sep=") || line.starts_with("SEP=")) &&
                       (line.size() == 5 || (line.size() == 6 && line.back() == '\r'));
    const bool comment = line.starts_with('#') && line.find(m_separator) == std::string_view::npos;
    if (!names && !comment) return;
    m_at += line.size() - (line.ends_with('\r') ? 1U : 0U);
    passLineEnd();
  }
}

bool CsvReader::atLineEnd() const {
  return m_at == m_text.size() || m_text[m_at] == m_lineEnd ||
         (m_text[m_at] == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n');
}

void CsvReader::passLineEnd() {
  if (m_at == m_text.size()) return;
  if (m_text[m_at] != m_lineEnd) ++m_at;
  ++m_at;
  ++m_line;
}

bool CsvReader::append(std::string& to, char c) {
  if (to.size() == kLargestCell) {
    m_problem = "a cell is longer than 65 536 bytes (is a quote not closed?)";
    return false;
  }
  to.push_back(c);
  return true;
}

bool CsvReader::quotedCell(std::string& to) {
  for (++m_at; m_at < m_text.size(); ++m_at) {
    const char c = m_text[m_at];
    if (c == '"') {
      if (m_at + 1 == m_text.size() || m_text[m_at + 1] != '"') break;
      ++m_at;
    }
    if (c == m_lineEnd) ++m_line;
    if (!append(to, c)) return false;
  }
  if (m_at == m_text.size()) {
    m_problem = "a quote is not closed";
    return false;
  }
  ++m_at;
  while (m_separator != ' ' && m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
  if (atLineEnd() || m_text[m_at] == m_separator) return true;
  m_problem = "text follows a closing quote";
  return false;
}

bool CsvReader::cell(std::string& to) {
  to.clear();
  std::size_t quote = m_at;
  while (m_separator != ' ' && quote < m_text.size() && m_text[quote] == ' ') ++quote;
  if (quote < m_text.size() && m_text[quote] == '"') {
    m_at = quote;
    return quotedCell(to);
  }
  for (; !atLineEnd() && m_text[m_at] != m_separator; ++m_at)
    if (!append(to, m_text[m_at])) return false;
  return true;
}

CsvReader::Row CsvReader::broken() {
  m_line = m_rowLine;
  for (m_at = m_rowStart; !atLineEnd();) ++m_at;
  passLineEnd();
  return Row::Broken;
}

void CsvReader::passSpaces() {
  while (m_separator == ' ' && m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
}

CsvReader::Row CsvReader::dividedLine() {
  while (!atLineEnd()) ++m_at;
  const std::string_view line = trimmed(m_text.substr(m_rowStart, m_at - m_rowStart));
  if (line.size() > 2 * kLargestCell) {
    m_problem = "the line is longer than 131 072 bytes";
    return broken();
  }
  passLineEnd();
  const std::size_t end = firstCell(line, m_separator);
  m_views.push_back(unquoted(trimmed(line.substr(0, end))));
  if (end != std::string_view::npos) m_views.push_back(unquoted(trimmed(line.substr(end))));
  return Row::Cells;
}

CsvReader::Row CsvReader::next() {
  while (m_at < m_text.size() && atLineEnd()) passLineEnd();
  passSpaces();
  m_views.clear();
  m_rowStart = m_at;
  m_rowLine = m_line;
  if (m_at == m_text.size()) return Row::End;
  if (m_separator == kAfterPath || m_separator == kFirstSpace) return dividedLine();
  std::size_t count = 0;
  for (;;) {
    if (count == kMostCells) {
      m_problem = "more than 1 024 cells";
      return broken();
    }
    if (m_cells.size() == count) m_cells.emplace_back();
    if (!cell(m_cells[count])) return broken();
    ++count;
    passSpaces();
    if (atLineEnd()) break;
    if (m_separator != ' ') ++m_at;  // skip the separator
  }
  passLineEnd();
  for (std::size_t i = 0; i < count; ++i) m_views.emplace_back(m_cells[i]);
  return Row::Cells;
}

}  // namespace millrace
