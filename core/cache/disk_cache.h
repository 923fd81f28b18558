// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/spread_counter.h"
#include "core/cache/cache_folder.h"
#include "core/cache/cache_place.h"
#include "core/cache/cache_segment.h"
#include "core/spec/sample_cache.h"

namespace millrace {

struct DiskCacheSettings {
  std::filesystem::path root;  ///< the folder with all caches
  /// A text that describes how the samples are made; each text has a separate cache.
  std::string key;
  std::uint32_t samples = 0;     ///< indices are below this
  std::size_t fields = 0;        ///< fields of the stream; a sample may have room for more
  std::uint64_t limitBytes = 0;  ///< for all caches below `root` together
  /// The minimum time between two scans for records of other processes.
  Nanoseconds rescanInterval = std::chrono::seconds(1);
};

/// Samples in files that outlive the process and are shared with other processes. A process finds
/// records that another one stored when it opens the cache, and later by a scan when it misses a
/// sample, at most once per `rescanInterval`. Each record is read completely and its CRC is
/// checked: a damaged record is a miss, is counted, and is written again. Lent values are valid
/// until the thread's next load from any disk cache. Thread-safe; a load takes no lock.
class DiskCache final : public SampleCache {
 public:
  /// The error says why the folder cannot be used and what to do. A read-only folder is not an
  /// error: nothing is stored then, which fill() reports.
  static Result<std::shared_ptr<DiskCache>> open(const DiskCacheSettings& settings,
                                                 const Clock& clock = steadyClock());

  bool load(Sample& sample) override;
  bool holds(std::uint32_t index) const override { return m_places.find(index).has_value(); }
  void store(const Sample& sample) override;
  Fill fill() const override;

 private:
  /// A segment of another process.
  struct Foreign {
    std::uint32_t segment = 0;
    UniqueFd records;
    SegmentIndex index;
  };
  struct Reserved {
    std::shared_ptr<SegmentWriter> writer;
    std::uint64_t offset = 0;
  };

  DiskCache(const DiskCacheSettings& settings, HeldCache held, const Clock& clock);
  void readAll();
  bool rescan();
  template <class Take>
  void readNewEntries(const Take& take) MILLRACE_REQUIRES(m_scanMutex);
  void addForeign() MILLRACE_REQUIRES(m_scanMutex);
  bool isKnown(std::uint32_t segment) const { return m_fds[segment].load() >= 0; }
  bool lend(const CachePlace& place, Sample& sample) const;
  void count(const CachePlace& place);
  std::optional<Reserved> reserve(std::size_t bytes);
  std::optional<Reserved> takeRoom(std::size_t bytes) MILLRACE_REQUIRES(m_mutex);
  bool makeRoom(std::size_t bytes);
  void stopKeeping(const std::string& why);

  const DiskCacheSettings m_settings;
  const HeldCache m_held;
  const Clock& m_clock;

  // Lock-free. A segment's descriptor is set before the first of its places.
  CachePlaces m_places;
  std::array<std::atomic<int>, kMostSegments + 1> m_fds;
  std::atomic<bool> m_keeps{true};
  std::atomic<std::int64_t> m_nextScanNs{0};
  std::atomic<std::uint64_t> m_entries{0};
  std::atomic<std::uint64_t> m_bytes{0};
  SpreadCounter m_hits;
  SpreadCounter m_misses;
  SpreadCounter m_damaged;

  Mutex m_scanMutex;
  std::vector<Foreign> m_foreign MILLRACE_GUARDED_BY(m_scanMutex);

  mutable Mutex m_mutex;
  Condition m_roomMade;
  std::vector<std::shared_ptr<SegmentWriter>> m_writers MILLRACE_GUARDED_BY(m_mutex);
  std::uint64_t m_room MILLRACE_GUARDED_BY(m_mutex) = 0;
  bool m_makingRoom MILLRACE_GUARDED_BY(m_mutex) = false;
  std::string m_stopped MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
