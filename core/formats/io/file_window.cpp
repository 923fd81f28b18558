// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_window.h"

#include <algorithm>

#include "core/formats/io/open_file.h"

namespace millrace {

Result<const std::byte*> FileWindow::at(std::uint64_t offset, std::size_t count, bool ahead) {
  constexpr std::size_t kAhead = std::size_t{1} << 18U;
  constexpr std::size_t kAlone = 512;
  if (offset >= m_offset && offset + count <= m_offset + m_held)
    return m_bytes.data() + (offset - m_offset);
  const std::size_t wanted = std::max(count, ahead ? kAhead : kAlone);
  std::byte* bytes = m_bytes.reserve(wanted);
  m_held = 0;
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(m_fd, offset, bytes, wanted));
  m_offset = offset;
  m_held = got;
  return got >= count ? bytes : nullptr;
}

}  // namespace millrace
