// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace millrace {

/// Reads bytes of a file at an offset and returns how many there were.
using ReadBytes = std::function<std::size_t(std::uint64_t offset, std::span<std::byte> to)>;

/// Reads from a file in memory, which must outlive it.
inline ReadBytes bytesOf(std::span<const std::byte> file) {
  return [file](std::uint64_t offset, std::span<std::byte> to) -> std::size_t {
    if (offset >= file.size()) return 0;
    const auto begin = static_cast<std::size_t>(offset);
    const std::size_t count = std::min(to.size(), file.size() - begin);
    std::ranges::copy(file.subspan(begin, count), to.begin());
    return count;
  };
}

/// The file's bytes, at most `most`.
inline std::vector<std::byte> allBytes(const ReadBytes& read, std::size_t most) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  std::vector<std::byte> bytes;
  while (bytes.size() < most) {
    const std::size_t had = bytes.size();
    bytes.resize(std::min(had + kStep, most));
    const std::size_t got = read(had, std::span(bytes).subspan(had));
    if (had + got == bytes.size()) continue;
    bytes.resize(had + got);
    break;
  }
  return bytes;
}

}  // namespace millrace
