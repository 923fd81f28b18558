// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/user_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace millrace {

namespace {

std::filesystem::path pathIn(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

std::filesystem::path userCacheFolder() {
  // The XDG base directory specification says to ignore relative paths in its variables.
  const std::filesystem::path cache = pathIn("XDG_CACHE_HOME");
  if (cache.is_absolute()) return cache / "millrace";
  const std::filesystem::path home = pathIn("HOME");
  if (home.is_absolute()) return home / ".cache" / "millrace";
  std::error_code error;
  return std::filesystem::temp_directory_path(error) / ("millrace-" + std::to_string(::getuid()));
}

std::filesystem::path userDataFolder() {
  const std::filesystem::path data = pathIn("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "millrace";
  const std::filesystem::path home = pathIn("HOME");
  return home.is_absolute() ? home / ".local" / "share" / "millrace" : std::filesystem::path();
}

}  // namespace millrace
