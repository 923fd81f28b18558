// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// A trace as read from a file that TraceWriter wrote. Value.
struct TraceFile {
  static constexpr std::uint32_t kNoText = 0xffffffff;
  static constexpr std::uint64_t kNoItem = ~std::uint64_t{0};

  /// One activity of a thread. Times in nanoseconds since its repeat began.
  struct Span {
    std::uint64_t beginNs = 0;
    std::uint64_t endNs = 0;
    std::uint32_t name = 0;              ///< index in `texts`
    std::uint32_t category = 0;          ///< index in `categories`
    std::uint32_t sampleName = kNoText;  ///< index in `texts`
    std::uint64_t sample = kNoItem;      ///< index in the source
    std::uint64_t batch = kNoItem;       ///< number since the run began
  };
  /// A thread of one repeat; its spans by begin.
  struct Track {
    std::size_t repeat = 0;  ///< index in `repeats`
    std::string name;
    std::vector<Span> spans;
  };
  /// Number of batches waiting in a queue.
  struct Queue {
    std::size_t repeat = 0;
    std::string name;
    struct Change {
      std::uint64_t ns = 0;
      double batches = 0;  ///< from this time on
    };
    std::vector<Change> changes;  ///< by time
  };

  std::vector<std::string> texts;
  std::vector<std::string> categories;
  std::vector<std::string> repeats;  ///< their names
  std::vector<Track> tracks;         ///< by repeat, in the order of their threads
  std::vector<Queue> queues;
  std::uint64_t spanCount = 0;
  std::uint64_t leftOut = 0;   ///< spans that the run had no room for
  std::uint64_t skipped = 0;   ///< events in the file that Millrace does not write
  std::uint64_t lengthNs = 0;  ///< of the longest repeat
  /// Where and why the file ends early, as a sentence; empty for a complete one.
  std::string damage;
};

/// Reads a trace. A damaged file is read up to the damage, unless it has no span before it. The
/// error says what the file is instead. `cancelled` is asked now and then; then that is the error.
Result<TraceFile> readTraceFile(const std::filesystem::path& file,
                                const std::function<bool()>& cancelled = {});
/// The same for text; `name` begins the error.
Result<TraceFile> parseTrace(std::string_view text, const std::string& name);

}  // namespace millrace
