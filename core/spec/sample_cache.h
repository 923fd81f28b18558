// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/data/sample.h"

namespace millrace {

/// Keeps samples in the state they have at one point of the pipeline, by the source's index. Shared
/// by all threads and repeats of a run; some caches outlive the run. Thread-safe.
class SampleCache {
 public:
  struct Fill {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t limitBytes = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t damaged = 0;  ///< entries that were found damaged and written again
    /// Why nothing more is stored, a sentence without full stop; empty: samples are stored up to
    /// the limit.
    std::string stopped = {};
  };

  virtual ~SampleCache() = default;
  /// Lets `sample` borrow what is stored for its index. Returns false and leaves the sample
  /// unchanged if nothing is stored. Borrowed values are valid until this thread's next load().
  virtual bool load(Sample& sample) = 0;
  /// Whether it has an entry for this index of the source, as far as it knows without reading.
  virtual bool holds(std::uint32_t index) const = 0;
  /// Stores a copy if the limit allows it.
  virtual void store(const Sample& sample) = 0;
  virtual Fill fill() const = 0;
};

/// The state of a cache, or of the side index of a decode node, at the end of a run.
struct CacheFigures {
  std::string id;  ///< id of its node
  SampleCache::Fill fill;
};

}  // namespace millrace
