// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/page_cache_control.h"

#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/clock.h"

namespace millrace {

namespace {

int openForReading(const std::filesystem::path& file) {
  return file.empty() ? -1 : open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

}  // namespace

void dropFromPageCache(std::size_t count, const FileAt& fileAt, const std::atomic<bool>& stop) {
  std::filesystem::path last;
  for (std::size_t i = 0; i < count && !stop; ++i) {
    std::filesystem::path file = fileAt(i);
    if (file == last) continue;
    last = std::move(file);
    const int descriptor = openForReading(last);
    if (descriptor < 0) continue;
    // Dirty pages would stay in the cache. This does not wait for a file without dirty pages.
    sync_file_range(
        descriptor, 0, 0,
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
  }
}

std::size_t readIntoPageCache(std::size_t count, const FileAt& fileAt, double seconds,
                              const std::atomic<bool>& stop) {
  std::vector<char> buffer(std::size_t{1} << 20U);
  const SteadyTime begun = steadyClock().now();
  const auto over = [&] { return stop || toSeconds(steadyClock().now() - begun) > seconds; };
  for (std::size_t i = 0; i < count; ++i) {
    if (over()) return i;
    const int descriptor = openForReading(fileAt(i));
    if (descriptor < 0) continue;
    while (!over() && read(descriptor, buffer.data(), buffer.size()) > 0) {
    }
    close(descriptor);
  }
  return count;
}

}  // namespace millrace
