// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/page_cache.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace millrace {

namespace {

constexpr std::size_t kMaxFiles = 256;

constexpr std::size_t kPlaces = 4;

struct Counts {
  std::size_t resident = 0;
  std::size_t asked = 0;
};

/// The kernel reports resident pages only to users who may write the file; for others all are
/// resident.
bool mayAskForPages(int descriptor, const struct stat& about) {
  const uid_t user = geteuid();
  return user == 0 || about.st_uid == user || faccessat(descriptor, "", W_OK, AT_EMPTY_PATH) == 0;
}

/// Probes without side effects. nullopt if the file system does not support it.
std::optional<Counts> probePages(int descriptor, std::size_t bytes,
                                 const std::array<off_t, kPlaces>& places) {
  void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return std::nullopt;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  Counts counts;
  for (const off_t place : places) {
    const std::size_t begin = static_cast<std::size_t>(place) / page * page;
    unsigned char state = 0;
    if (mincore(static_cast<char*>(mapped) + begin, 1, &state) != 0) continue;
    ++counts.asked;
    counts.resident += state & 1U;
  }
  munmap(mapped, bytes);
  if (counts.asked == 0) return std::nullopt;
  return counts;
}

/// Probes with reads that do not wait. The kernel may start to fetch missing pages, and on a fast
/// disk a cold page then looks warm; so this is only used for files that cannot be probed
/// otherwise.
Counts probeReads(int descriptor, const std::array<off_t, kPlaces>& places) {
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
  Counts counts;
  for (const off_t place : places) {
    char byte = 0;
    const iovec target{&byte, 1};
    const ssize_t got = preadv2(descriptor, &target, 1, place, RWF_NOWAIT);
    if (got != 1 && (got >= 0 || errno != EAGAIN)) continue;
    ++counts.asked;
    counts.resident += got == 1 ? 1 : 0;
  }
  return counts;
}

Counts probe(int descriptor) {
  struct stat about = {};
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) return {};
  const off_t last = about.st_size - 1;
  // From the end, so that a page fetched by one probe does not affect the next one.
  const std::array<off_t, kPlaces> places{last, last / 3 * 2, last / 3, 0};
  if (mayAskForPages(descriptor, about))
    if (const auto counts = probePages(descriptor, static_cast<std::size_t>(about.st_size), places))
      return *counts;
  return probeReads(descriptor, places);
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
    // O_NONBLOCK: do not wait for the other end of a pipe.
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
