// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Repositories that were cloned without the files that Git LFS keeps elsewhere.
#include <array>

#include <fmt/format.h>

#include "core/codecs/picture_formats.h"
#include "core/formats/io/open_file.h"
#include "core/inspect/scan.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace fs = std::filesystem;

void Scan::examine(const fs::path& file) {
  if (isRemotePath(file.native())) return;  // a repository's working tree is on a disk
  const auto opened = openForReading(file);
  if (!opened) return;
  std::array<char, 64> head{};
  const auto got = readAt(opened->fd.get(), 0, head.data(), head.size());
  ++m_examined;
  if (got && isLfsPointer({head.data(), *got})) ++m_pointers;
}

void Scan::reportPointers(FolderContent& content) const {
  if (m_pointers == 0) return;
  constexpr std::string_view kRemedy =
      "of Git LFS instead of the data: run `git lfs pull` in the repository.";
  if (m_pointers == m_examined) {
    content = {};
    content.description =
        m_examined == 1 ? fmt::format("The first file is a pointer {}", kRemedy)
                        : fmt::format("The first {} files are pointers {}", m_examined, kRemedy);
    return;
  }
  const std::string note = fmt::format("{} of the first {} files {} {}", m_pointers, m_examined,
                                       m_pointers == 1 ? "is a pointer" : "are pointers", kRemedy);
  content.details += (content.details.empty() ? "" : " ") + note;
  if (content.layout == DataLayout::Container)
    content.description += " " + note;
  else
    describe(content);
}

}  // namespace millrace
