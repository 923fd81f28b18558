// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/small_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace millrace {

std::string readSmallFile(const std::filesystem::path& file) {
  constexpr std::size_t kLimit = 1U << 20U;
  constexpr std::size_t kStep = 4096;
  std::string text;
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return text;
  for (std::size_t used = 0; used < kLimit;) {
    text.resize(used + kStep);
    const ssize_t got = read(descriptor, text.data() + used, kStep);
    used += got > 0 ? static_cast<std::size_t>(got) : 0;
    text.resize(used);
    if (got <= 0) break;
  }
  close(descriptor);
  return text;
}

}  // namespace millrace
