// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>

namespace millrace {

/// Empty if it is not set.
inline std::string environmentText(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The first variable that is set to something.
inline std::string firstOf(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (std::string value = environmentText(name); !value.empty()) return value;
  return {};
}

}  // namespace millrace
