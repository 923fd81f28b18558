// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exported_code.h"

#include <fmt/format.h>

#include "core/base/random.h"

namespace millrace {

std::string codeDigest(std::string_view code) {
  return fmt::format("{:016x}-{}", fnv1a(code), code.size());
}

std::optional<std::string> digestOfExport(std::string_view file) {
  constexpr std::string_view kBlankLine = "\n\n";
  if (!file.starts_with(kExportTitle)) return std::nullopt;
  std::size_t at = file.find(kBlankLine);
  if (at == std::string_view::npos) return std::nullopt;
  at += kBlankLine.size();
  bool marked = false;
  while (at < file.size() && file[at] == '#') {
    marked = marked || file.substr(at).starts_with(kExportMark);
    const std::size_t end = file.find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  if (!marked || at >= file.size()) return std::nullopt;
  return codeDigest(file.substr(at + 1));  // after the blank line
}

}  // namespace millrace
