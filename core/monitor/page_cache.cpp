// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/page_cache.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace millrace {

namespace {

constexpr std::size_t kMaxFiles = 256;

/// Whether the byte at `offset` could be read at once; absent when the file system cannot say.
std::optional<bool> isResident(int descriptor, off_t offset) {
  char byte = 0;
  const iovec target{&byte, 1};
  const ssize_t got = preadv2(descriptor, &target, 1, offset, RWF_NOWAIT);
  if (got == 1) return true;
  if (got < 0 && errno == EAGAIN) return false;
  return std::nullopt;
}

struct Counts {
  std::size_t resident = 0;
  std::size_t asked = 0;
};

Counts probe(int descriptor) {
  struct stat about = {};
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return {};
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
  const off_t last = about.st_size - 1;
  Counts counts;
  // From the end, lest a page fetched for one question is the answer to the next.
  for (const off_t offset : std::array<off_t, 4>{last, last / 3 * 2, last / 3, 0}) {
    const auto resident = isResident(descriptor, offset);
    if (!resident) continue;
    ++counts.asked;
    counts.resident += *resident ? 1 : 0;
  }
  return counts;
}

}  // namespace

std::string_view nameOf(PageCacheState state) {
  constexpr std::array<std::string_view, 4> kNames = {"cold", "warm", "mixed", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

PageCacheState pageCacheState(std::size_t resident, std::size_t asked) {
  if (asked == 0) return PageCacheState::Unknown;
  const double share = static_cast<double>(resident) / static_cast<double>(asked);
  if (share <= 0.05) return PageCacheState::Cold;
  return share >= 0.95 ? PageCacheState::Warm : PageCacheState::Mixed;
}

PageCacheReport probePageCache(std::size_t count,
                               const std::function<std::filesystem::path(std::size_t)>& fileAt) {
  PageCacheReport report;
  Counts all;
  const std::size_t probes = std::min(count, kMaxFiles);
  for (std::size_t i = 0; i < probes; ++i) {
    const auto file = fileAt(i * count / probes);
    // Not to wait for a pipe's other end.
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) continue;
    const Counts counts = probe(descriptor);
    close(descriptor);
    report.files += counts.asked > 0 ? 1 : 0;
    all.asked += counts.asked;
    all.resident += counts.resident;
  }
  report.state = pageCacheState(all.resident, all.asked);
  if (all.asked > 0)
    report.residentShare = static_cast<double>(all.resident) / static_cast<double>(all.asked);
  return report;
}

}  // namespace millrace
