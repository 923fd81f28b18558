// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/scan_bytes.h"

#include <cstring>

namespace millrace::jpeg {

void ScanBytes::assign(std::span<const std::byte> data, bool restarts, std::size_t firstSegment) {
  m_ends.clear();
  m_origins.clear();
  auto* const first =
      reinterpret_cast<std::uint8_t*>(m_bytes.reserve(data.size() + kPadding + kCopyOverrun));
  const auto* from = reinterpret_cast<const std::uint8_t*>(data.data());
  const std::uint8_t* const end = from + data.size();
  std::uint8_t* to = first;
  while (from < end) {
    const std::size_t plain = copyUntilFf(from, static_cast<std::size_t>(end - from), to);
    from += plain;
    to += plain;
    const std::uint8_t* const mark = from;
    while (from < end && *from == 0xff) ++from;  // Fill bytes may precede a marker.
    if (from == end) break;
    const unsigned code = *from++;
    if (code == 0) {
      // Stops at fill bytes before a stuffed one: there the library's fast path (2.1.5) leaves
      // traces of discarded data, and only the library can reproduce those pixels.
      if (from - mark != 2) break;
      *to++ = 0xff;
      continue;
    }
    if (!restarts || code != 0xd0 + (firstSegment + m_ends.size()) % 8) break;
    m_ends.push_back(static_cast<std::size_t>(to - first));
    m_origins.push_back(data.size() - static_cast<std::size_t>(end - from));
  }
  m_ends.push_back(static_cast<std::size_t>(to - first));
  std::memset(to, 0, kPadding);
}

}  // namespace millrace::jpeg
