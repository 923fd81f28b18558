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

/// The cost of reading, counted by the reading thread. Any thread may read the counters.
struct ReadCounters {
  std::atomic<std::uint64_t> opens{0};
  std::atomic<std::uint64_t> reads{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> latencyNs{0};  ///< of the timed reads only
  std::atomic<std::uint64_t> timedReads{0};

  /// Reading the clock is not free, so a reader times one of this many reads.
  static constexpr std::uint32_t kTimedOneIn = 16;

  /// There is only one writer, so no locked instruction is needed.
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
};

/// Reads the samples of a source. For use by one thread.
class SourceReader {
 public:
  virtual ~SourceReader() = default;
  /// Fills every field of `sample`, with memory of the sample or with memory that stays valid until
  /// this reader's next read. An error fails this sample only.
  virtual Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) = 0;
  /// Memory that the reader keeps between reads, apart from the samples' own; 0 if that is little
  /// more than one sample. Call it from the reading thread.
  virtual std::size_t keptBytes() const { return 0; }
};

/// A data set with random access, shared by all threads. Constant after opening, except that a
/// large container without an index may still be scanned: until then listed() is false and only
/// some samples are known (atLeast()).
class Source {
 public:
  virtual ~Source() = default;
  /// The number of samples. Finishes the scan first if necessary, which can take minutes.
  virtual std::uint32_t size() const = 0;
  /// Scans on until `count` samples are known or the scan is complete, and returns how many are
  /// known. Fewer than `count`: these are all samples.
  virtual std::uint32_t atLeast(std::uint32_t /*count*/) const { return size(); }
  /// Whether the scan is complete. Once true it stays true.
  virtual bool listed() const { return true; }
  /// The fields of its samples, as exactly as opening could determine.
  virtual std::vector<FieldSpec> fields() const = 0;
  /// A name for a sample that is stable between runs: the path below the root, or `file#key`. These
  /// are the file system's bytes, which need not be UTF-8.
  virtual std::string name(std::uint32_t index) const = 0;
  /// The sample's class if it is known without reading the sample, else -1.
  virtual std::int64_t labelOf(std::uint32_t) const { return -1; }
  virtual std::vector<std::string> classes() const { return {}; }
  /// Which of the source's paths, counted from 0, the sample comes from.
  virtual std::uint32_t pathOf(std::uint32_t) const { return 0; }
  /// What the user should know about the data as far as it was scanned: folders without classes,
  /// pairs with a missing partner.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Absolute path of the file that holds the sample (for fingerprints and the page cache), or
  /// empty.
  virtual std::string file(std::uint32_t) const { return {}; }
  /// Absolute paths of the other files that the sample is read from.
  virtual std::vector<std::string> moreFiles(std::uint32_t) const { return {}; }
  virtual std::unique_ptr<SourceReader> reader() const = 0;
};

}  // namespace millrace
