// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/data/sample.h"

namespace millrace {

/// Keeps samples as they are at one point of the pipeline, by the source's index. Shared by all
/// threads of a run and by its repeats; thread-safe.
class SampleCache {
 public:
  struct Fill {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t limitBytes = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  virtual ~SampleCache() = default;
  /// Lets `sample` borrow what is kept for its index; false when nothing is. What is kept is never
  /// evicted, so the borrowed values live as long as the cache.
  virtual bool load(Sample& sample) = 0;
  /// Keeps a copy where the limit still allows it.
  virtual void store(const Sample& sample) = 0;
  virtual Fill fill() const = 0;
};

}  // namespace millrace
