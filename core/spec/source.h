// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

/// What reading cost, counted by the thread that read. Any thread may look.
struct ReadCounters {
  std::atomic<std::uint64_t> opens{0};
  std::atomic<std::uint64_t> reads{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> latencyNs{0};  ///< of the timed reads
  std::atomic<std::uint64_t> timedReads{0};

  /// Looking at the clock costs too: of a reader's reads one in so many is timed.
  static constexpr std::uint32_t kTimedOneIn = 16;

  /// One writer alone, so no locked instruction is needed.
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
};

/// Reads the samples of a source for one thread.
class SourceReader {
 public:
  virtual ~SourceReader() = default;
  /// Fills every field of `sample`, with memory of the sample or lent until this reader's next
  /// read. An error concerns this sample alone.
  virtual Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) = 0;
  /// Memory that it keeps from one read to the next beside the samples' own; 0 where that is little
  /// more than a sample. By the thread that reads.
  virtual std::size_t keptBytes() const { return 0; }
};

/// A data set with random access, shared by all threads. Constant after opening, but that a large
/// container without an index may still be looked through: then `listed` is false, and the samples
/// below `atLeast` are known.
class Source {
 public:
  virtual ~Source() = default;
  /// All samples. Looks through the rest first where they are not listed, which can take minutes.
  virtual std::uint32_t size() const = 0;
  /// Looks on until so many samples are known, or all; how many are. Fewer than `count`: all are.
  virtual std::uint32_t atLeast(std::uint32_t /*count*/) const { return size(); }
  /// Whether size() knows its answer. Once true it stays so.
  virtual bool listed() const { return true; }
  /// The fields of its samples, as exactly as opening could tell.
  virtual std::vector<FieldSpec> fields() const = 0;
  /// Name of a sample that does not change between runs: path below the root, or `file#key`.
  /// Bytes as the file system has them, not always UTF-8.
  virtual std::string name(std::uint32_t index) const = 0;
  /// The sample's class without reading it, or -1.
  virtual std::int64_t labelOf(std::uint32_t) const { return -1; }
  virtual std::vector<std::string> classes() const { return {}; }
  /// What a person should know about the data, as far as it was looked through: folders without
  /// classes, pairs without partner.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Absolute path of the file that holds the sample (for fingerprint and page cache), or empty.
  virtual std::string file(std::uint32_t) const { return {}; }
  /// The others that it is read from, likewise.
  virtual std::vector<std::string> moreFiles(std::uint32_t) const { return {}; }
  virtual std::unique_ptr<SourceReader> reader() const = 0;
};

}  // namespace millrace
