// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/failed_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"

namespace millrace::cli {

std::string failedSettingLines(const std::vector<std::string>& failures) {
  constexpr std::size_t kMostShown = 5;
  if (failures.empty()) return {};
  std::string text = "\n  " + counted(failures.size(), "setting") + " failed\n";
  const std::size_t shown = std::min(kMostShown, failures.size());
  for (std::size_t i = 0; i < shown; ++i) text += "    " + wrapped(singleLine(failures[i]), 6, 4);
  if (shown < failures.size()) text += fmt::format("    and {} more\n", failures.size() - shown);
  return text;
}

}  // namespace millrace::cli
