// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shell_word.h"

#include <string>

#include <fmt/format.h>

#include "core/base/text/visible_name.h"

namespace millrace {

std::string shellWord(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,%+@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shownShellWord(std::string_view word) {
  if (visibleName(word) == word) return shellWord(word);
  std::string text = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\')
      text += std::string("\\") + c;
    else if (byte < 0x20 || byte >= 0x7F)
      text += fmt::format("\\{:03o}", byte);  // of \xNN some shells read more than two digits
    else
      text += c;
  }
  return text + "'";
}

}  // namespace millrace
