// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/flag_names.h"

#include <algorithm>

namespace millrace::cli {

std::string withFlags(std::string_view text) {
  constexpr std::string_view kBefore = "the setting `";
  std::string shown;
  while (true) {
    const std::size_t at = text.find(kBefore);
    shown += text.substr(0, at);
    if (at == std::string_view::npos) return shown;
    text.remove_prefix(at + kBefore.size());
    std::string flag = "--" + std::string(text.substr(0, text.find('`')));
    std::ranges::replace(flag, '_', '-');
    shown += flag;
    text.remove_prefix(std::min(text.size(), flag.size() - 1));
  }
}

}  // namespace millrace::cli
