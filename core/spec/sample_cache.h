// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/data/sample.h"

namespace millrace {

/// Keeps samples as they are at one point of the pipeline, by the source's index. Shared by all
/// threads of a run and by its repeats; thread-safe. Some outlive the run.
class SampleCache {
 public:
  struct Fill {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t limitBytes = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t damaged = 0;  ///< entries that turned out to be, and were made anew
    /// Why nothing more is kept, in a sentence without full stop; empty: more is, up to the limit.
    std::string stopped = {};
  };

  virtual ~SampleCache() = default;
  /// Lets `sample` borrow what is kept for its index; false, and the sample as it was, when nothing
  /// is. The borrowed values live until this thread's next load.
  virtual bool load(Sample& sample) = 0;
  /// Whether it has something for this index of the source, as far as it knows without reading.
  virtual bool holds(std::uint32_t index) const = 0;
  /// Keeps a copy where the limit still allows it.
  virtual void store(const Sample& sample) = 0;
  virtual Fill fill() const = 0;
};

}  // namespace millrace
