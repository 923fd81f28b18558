// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// Whether a word that may name a pipeline names an object in a Python file: "train.py:loader".
inline bool isLoaderWord(std::string_view word) {
  const std::size_t end = word.rfind(".py:");
  return end != std::string_view::npos && end > 0 && end + 4 < word.size();
}

}  // namespace millrace
