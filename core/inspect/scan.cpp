// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/scan.h"

#include <algorithm>

#include "core/inspect/folder_probe.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace fs = std::filesystem;

std::optional<Size> Scan::measure(const fs::path& file, FolderContent& content) {
  // At a server each takes two requests.
  constexpr std::size_t kHeadsAtServer = 8;
  const std::size_t most =
      isRemotePath(file.native()) ? std::min(m_limits.heads, kHeadsAtServer) : m_limits.heads;
  if (m_heads >= most || stopped()) return std::nullopt;
  ++m_heads;
  examine(file);
  const auto head = pictureHead(file);
  if (!head) return std::nullopt;
  const Size size = head->size;
  const int stored = storedChannelsOf(*head);
  Size& least = content.least;
  const bool first = least.width == 0;
  if (first || content.storedChannels != stored) content.storedChannels = first ? stored : 0;
  least.width = first ? size.width : std::min(least.width, size.width);
  least.height = first ? size.height : std::min(least.height, size.height);
  return size;
}

}  // namespace millrace
