// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/architectures.h"

#include <algorithm>
#include <charconv>

namespace millrace {

namespace {

bool runsOn(std::string_view architecture, int major, int minor) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(architecture.data(), architecture.data() + architecture.size(), number);
  if (error != std::errc()) return false;
  const std::string_view form(end, architecture.data() + architecture.size());
  const bool code = form != "-virtual";
  const bool ptx = form != "-real";
  return (code && number / 10 == major && number % 10 <= minor) ||
         (ptx && number <= 10 * major + minor);
}

}  // namespace

bool kernelsRunOn(std::string_view architectures, int major, int minor) {
  while (!architectures.empty()) {
    const std::size_t comma = std::min(architectures.find(','), architectures.size());
    if (runsOn(architectures.substr(0, comma), major, minor)) return true;
    architectures.remove_prefix(std::min(comma + 1, architectures.size()));
  }
  return false;
}

}  // namespace millrace
