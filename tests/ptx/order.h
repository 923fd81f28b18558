// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::ptx {

/// How much of each stream's work is done before something, by the stream's number: a vector clock.
/// Streams are ordered by events, by the rule for the legacy stream, and by a host that waits and
/// enqueues afterwards; a wait of one host thread counts for all of them.
using Clock = std::vector<std::uint64_t>;
void merge(Clock& clock, const Clock& other);
/// Whether the clock contains work `number` of that stream.
bool contains(const Clock& clock, std::size_t stream, std::uint64_t number);

/// The work that the calling stream thread executes.
struct RunningWork {
  std::uint64_t operation = 0;  ///< a process-wide unique number; 0: none
  std::size_t stream = 0;
  std::uint64_t number = 0;  ///< within the stream
  Clock before;              ///< including itself
};
RunningWork& runningWork();

/// The last work that accessed 256 bytes of device memory, which belong to one block.
struct OrderPage {
  static constexpr std::uint64_t kBytes = 256;
  static constexpr std::size_t kReaders = 4;
  struct Mark {
    std::uint32_t stream;
    std::uint64_t number;  ///< 0: none
  };
  std::uint64_t operation;  ///< the last operation here
  bool wrote;               ///< whether it wrote
  Mark writer;
  Mark readers[kReaders];
};
/// The page that contains this byte of device memory, counted from the first.
OrderPage& orderPage(std::uint64_t at);

/// Records that the running work accesses the page. Returns a description if this is unordered with
/// another stream's access, otherwise an empty string.
std::string touch(OrderPage& page, bool writes);
/// The same for all pages of these bytes.
std::string touchAll(std::uint64_t at, std::size_t bytes, bool writes);

}  // namespace millrace::ptx
