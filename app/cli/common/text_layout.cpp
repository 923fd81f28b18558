// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/text_layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"

namespace millrace::cli {

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun) {
  std::string lines;
  std::size_t column = begun;
  for (const std::string& word : split(text, ' ')) {
    const std::size_t width = columnsOf(word);
    const bool first = column == begun && lines.empty();
    if (!first && column + 1 + width > kColumns && column > indent) {
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
