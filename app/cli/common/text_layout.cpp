// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/text_layout.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/cli/common/flag_names.h"
#include "app/cli/common/terminal.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

/// Readers lose the next line after longer ones.
constexpr std::size_t kWidest = 100;

std::size_t lineColumns() { return std::min(pageColumns(), kWidest); }

std::string wrappedLine(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t begin = std::min(line.find(' ', indent), line.size() - 1) + 1;
  std::string text(line.substr(0, begin));
  text += wrapped(line.substr(begin), std::max<std::size_t>(indent, 4), columnsOf(text));
  text.pop_back();
  return text;
}

}  // namespace

std::size_t pageColumns() {
  static const std::size_t columns = terminalColumns().value_or(80);
  return columns;
}

std::size_t tableColumns() {
  constexpr std::size_t kNoLimit = 1'000'000;
  static const std::size_t columns = terminalColumns().value_or(kNoLimit);
  return columns;
}

std::size_t columnsOf(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U) continue;
    const std::string_view here = text.substr(i);
    columns += here.starts_with(kEmphasis) || here.starts_with(kEmphasisEnd) ? 0 : 1;
  }
  return columns;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun) {
  const std::size_t most = lineColumns();
  std::string lines;
  std::size_t column = begun;
  for (const std::string& word : split(withFlags(text), ' ')) {
    const std::size_t width = columnsOf(word);
    const bool first = column == begun && lines.empty();
    if (!first && column + 1 + width > most && column > indent) {
      lines.erase(lines.find_last_not_of(' ') + 1);  // of a wide gap that was cut
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += width;
  }
  return lines + "\n";
}

std::string wrappedMessage(std::string_view message) {
  if (message.starts_with('\r')) return std::string(message);  // Replaces the progress line.
  std::vector<std::string> lines = split(message, '\n');
  for (std::string& line : lines)
    if (columnsOf(line) > lineColumns()) line = wrappedLine(line);
  return join(lines, "\n");
}

std::string fitted(std::string_view text, std::size_t width) {
  std::string result(text);
  if (columnsOf(text) <= width) return result + std::string(width - columnsOf(text), ' ');
  while (columnsOf(result) + 2 > width) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0U) == 0x80U)
      result.pop_back();
    result.pop_back();
  }
  return result + "..";
}

std::string labelled(std::string_view label, std::string_view text, std::size_t indent) {
  return fmt::format("  {:<{}}{}", label, indent - 2, wrapped(text, indent, indent));
}

std::string trimmedLine(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace millrace::cli
