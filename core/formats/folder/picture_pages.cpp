// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/picture_pages.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/base/in_parallel.h"
#include "core/codecs/tiff_pages.h"
#include "core/formats/io/open_file.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

PicturePages PicturePages::count(const FileList& files, const std::vector<std::uint32_t>& which,
                                 int folder) {
  PicturePages pages;
  pages.m_pages.resize(which.size());
  std::atomic<std::size_t> next = 0;
  // More threads than cores, because a network folder answers slowly.
  constexpr unsigned kMostThreads = 16;
  constexpr std::size_t kFilesPerThread = 64;
  const std::size_t threads =
      std::min<std::size_t>({kMostThreads, 2 * std::max(std::thread::hardware_concurrency(), 1U),
                             which.size() / kFilesPerThread + 1});
  inParallel(threads, [&] {
    for (std::size_t i = next++; i < which.size(); i = next++) {
      const UniqueFd file(
          ::openat(folder, files.path(which[i]), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
      if (!file.valid()) continue;
      pages.m_pages[i] = tiffPages([&](std::uint64_t offset, std::span<std::byte> to) {
        const auto got = readAt(file.get(), offset, to.data(), to.size());
        return got ? *got : std::size_t{0};
      });
    }
  });
  return pages;
}

}  // namespace millrace
