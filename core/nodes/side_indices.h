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

/// Which picture: the source's index of the sample, and the field.
struct PictureKey {
  std::uint32_t sample = 0;
  std::uint32_t field = 0;
};

/// The side indices (DecodeRequest::sideIndex) of the pictures that a decode node has decoded, in
/// memory, for its instances on all threads and for the repeats of a run. They are a few hundred
/// bytes a photo, and what is kept is compared with the file before it is used. Monitor, in parts
/// with a lock each, held for one copy.
class SideIndices {
 public:
  /// `limitBytes`: of the indices, with what it takes to find them.
  explicit SideIndices(std::size_t limitBytes) : m_limit(limitBytes) {}

  /// What is kept for `key`, in place of what `bytes` held; empty where nothing is.
  void load(PictureKey key, std::vector<std::byte>& bytes);
  /// After a decode that began with what `load` gave: keeps a copy of `bytes` where they changed,
  /// as far as the limit allows.
  void keep(PictureKey key, std::span<const std::byte> bytes, const SideIndexUse& use);
  /// A hit is a decode that left something out.
  SampleCache::Fill fill() const;

 private:
  /// A table's entry and its share of the table, and what the heap adds to two pieces of memory.
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
