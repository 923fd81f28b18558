// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/formats/folder/file_list.h"

namespace millrace {

/// The pages of the TIFF files in a list. Value.
class PicturePages {
 public:
  /// Opens each of these files once, in parallel, and reads its directories. `folder`: an open
  /// descriptor of the list's root. What is not a TIFF file, or cannot be read, has no pages.
  static PicturePages count(const FileList& files, const std::vector<std::uint32_t>& which,
                            int folder);

  /// The offsets of the pages' directories, in the i-th of the files. At most one: the file is a
  /// single picture.
  const std::vector<std::uint64_t>& of(std::size_t i) const { return m_pages[i]; }

 private:
  std::vector<std::vector<std::uint64_t>> m_pages;
};

}  // namespace millrace
