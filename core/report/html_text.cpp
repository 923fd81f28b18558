// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/html_text.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// U+FFFE and U+FFFF in UTF-8: not characters, and not allowed in XML (XML 1.0, section 2.2).
bool isForbidden(std::string_view three) {
  return three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF";
}

}  // namespace

std::string htmlText(std::string_view text) {
  const std::string line = singleLine(text);
  std::string html;
  html.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (isForbidden(std::string_view(line).substr(i, 3))) {
      html += "\xEF\xBF\xBD";
      i += 2;
      continue;
    }
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\'': html += "&#39;"; break;
      default: html += c;
    }
  }
  return html;
}

std::string utcMinute(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

}  // namespace millrace
