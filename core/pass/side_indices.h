// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/spread_counter.h"
#include "core/codecs/codec.h"
#include "core/spec/sample_cache.h"

namespace millrace {

/// Identifies a picture: the sample's index in the source, and the field.
struct PictureKey {
  std::uint32_t sample = 0;
  std::uint32_t field = 0;
};

/// The side indices (DecodeRequest::sideIndex) of the pictures that a decode node has decoded, in
/// memory, shared by its instances on all threads and by the repeats of a run. They take a few
/// hundred bytes per photo and are compared with the file before each use. Thread-safe; divided
/// into parts, each with a lock that is held for one copy.
class SideIndices {
 public:
  /// `limitBytes`: for the indices, including the tables.
  explicit SideIndices(std::size_t limitBytes) : m_limit(limitBytes) {}

  /// Replaces `bytes` by what is stored for `key`; empty if nothing is.
  void load(PictureKey key, std::vector<std::byte>& bytes);
  /// Call it after a decode that used the result of load(): stores a copy of `bytes` if they
  /// changed and the limit allows it.
  void keep(PictureKey key, std::span<const std::byte> bytes, const SideIndexUse& use);
  /// A decode that skipped something counts as a hit.
  SampleCache::Fill fill() const;

 private:
  /// An estimate of a table entry and of the heap's overhead for two blocks.
  static constexpr std::size_t kEntryBytes = 80;
  static constexpr std::size_t kParts = 64;

  struct Kept {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  struct Part {
    Mutex mutex;
    std::unordered_map<std::uint64_t, Kept> kept MILLRACE_GUARDED_BY(mutex);
  };

  Part& partOf(PictureKey key) { return m_parts[key.sample % kParts]; }
  bool takeRoom(std::size_t bytes);
  void store(PictureKey key, std::span<const std::byte> bytes);

  const std::size_t m_limit;
  std::array<Part, kParts> m_parts;
  std::atomic<std::size_t> m_used{0};
  std::atomic<std::uint64_t> m_entries{0};
  std::atomic<bool> m_full{false};
  SpreadCounter m_hits;
  SpreadCounter m_misses;
  SpreadCounter m_wrong;
};

}  // namespace millrace
