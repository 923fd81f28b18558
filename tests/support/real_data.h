// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/support/places.h"

namespace millrace::tests {

/// The folder of real data next to the project, or that in MILLRACE_TEST_DATA. Empty if there is
/// none; a test that needs it is then skipped with that reason.
inline std::optional<std::filesystem::path> realData() {
  const char* named = std::getenv("MILLRACE_TEST_DATA");
  const std::filesystem::path folder = named != nullptr ? named : sourcePath("../shared/data");
  if (std::filesystem::is_directory(folder)) return folder;
  return std::nullopt;
}

}  // namespace millrace::tests
