// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "core/formats/io/open_file.h"

namespace millrace::fuzz {

/// The input as a file that readers can open.
inline OpenFile memoryFile(const std::uint8_t* data, std::size_t size) {
  OpenFile file;
  file.fd = UniqueFd(::memfd_create("fuzz", MFD_CLOEXEC));
  file.size = size;
  if (!file.fd.valid() || ::write(file.fd.get(), data, size) != static_cast<ssize_t>(size))
    std::abort();
  return file;
}

}  // namespace millrace::fuzz
