// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"

namespace millrace {

/// Blocks of remote objects that were read last, up to a limit of memory. A block that is being
/// read is read once for all who wait for it. Any thread.
class BlockCache {
 public:
  static constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;

  /// Object and block.
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  using Block = std::shared_ptr<const std::vector<std::byte>>;

  /// Whether the block is there or is being read.
  bool knows(const Key& key) const;
  /// The block, after waiting for it if another thread reads it. nullptr: it is not there.
  Result<Block> get(const Key& key);
  /// The caller reads those blocks of [first, end) that this returns, and passes each to put() or
  /// fail(). It ends before the first that is known.
  std::uint64_t claim(std::uint64_t object, std::uint64_t first, std::uint64_t end);
  void put(const Key& key, std::vector<std::byte> bytes);
  void fail(const Key& key, const Error& error);

 private:
  struct Entry {
    Block block;                 ///< nullptr: being read
    std::optional<Error> error;  ///< for those who wait
    std::list<Key>::iterator place;
  };

  mutable Mutex m_mutex;
  Condition m_changed;
  std::map<Key, std::shared_ptr<Entry>> m_entries MILLRACE_GUARDED_BY(m_mutex);
  std::list<Key> m_order MILLRACE_GUARDED_BY(m_mutex);  ///< of complete blocks, last used first
  std::uint64_t m_bytes MILLRACE_GUARDED_BY(m_mutex) = 0;
};

BlockCache& blockCache();

}  // namespace millrace
