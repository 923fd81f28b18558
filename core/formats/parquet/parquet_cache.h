// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/formats/parquet/parquet_block.h"

namespace millrace {

/// The decoded pages that were used last, for all readers of a source. A monitor: while one thread
/// decodes a page, others that need it wait for it.
class ParquetCache {
 public:
  explicit ParquetCache(std::size_t budget) : m_budget(budget) {}

  struct Key {
    static constexpr std::uint32_t kDictionary = UINT32_MAX;
    std::uint32_t file = 0;
    std::uint32_t group = 0;
    std::uint32_t column = 0;
    std::uint32_t part = 0;  ///< or kDictionary
    auto operator<=>(const Key&) const = default;
  };
  /// One of both.
  struct Item {
    std::shared_ptr<const ParquetBlock> block;
    std::shared_ptr<const ParquetValues> dictionary;
    std::size_t bytes() const { return block ? block->bytes() : dictionary->bytes(); }
  };

  /// The item of `key`, which `load` decodes if necessary. Errors are not kept. `load` may call
  /// get() for a dictionary.
  Result<Item> get(const Key& key, const std::function<Result<Item>()>& load);
  /// Memory of the items that it keeps: at most the budget.
  std::size_t bytes() const;

 private:
  struct Slot {
    Mutex mutex;
    std::optional<Item> item MILLRACE_GUARDED_BY(mutex);
  };
  struct Kept {
    std::shared_ptr<Slot> slot;
    std::size_t bytes = 0;  ///< 0 until it is loaded
    std::list<Key>::iterator use;
  };

  std::shared_ptr<Slot> slotOf(const Key& key);
  void account(const Key& key, const std::shared_ptr<Slot>& slot, std::size_t bytes);
  void forget(const Key& key, const std::shared_ptr<Slot>& slot);

  const std::size_t m_budget;
  // The mutex of a slot may be held when this one is taken, never the other way round.
  mutable Mutex m_mutex;
  std::size_t m_bytes MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::map<Key, Kept> m_kept MILLRACE_GUARDED_BY(m_mutex);
  std::list<Key> m_uses MILLRACE_GUARDED_BY(m_mutex);  ///< the last use first
};

}  // namespace millrace
