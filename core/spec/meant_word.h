// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// The valid word that `word` probably means: the only one that it abbreviates ("ls" is "list",
/// "secs" is "seconds"), otherwise the most similar one (nearest in core/base/text/text.h). Dashes
/// at the beginning do not count. Empty: none. Pure; any thread.
std::string meantWord(std::string_view word, const std::vector<std::string>& valid);

}  // namespace millrace
