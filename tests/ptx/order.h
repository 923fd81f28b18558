// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::ptx {

/// How much of each stream's work, by the stream's number, is done before something is: a vector
/// clock. Streams are ordered by events, by the legacy stream's rule, and by a host that waited and
/// enqueues then; what one thread of the host waited for counts for all of them.
using Clock = std::vector<std::uint64_t>;
void merge(Clock& clock, const Clock& other);
/// Whether work `number` of that stream is in it.
bool contains(const Clock& clock, std::size_t stream, std::uint64_t number);

/// The piece of work that the calling stream's thread does.
struct RunningWork {
  std::uint64_t operation = 0;  ///< a number of its own in the process; 0: none
  std::size_t stream = 0;
  std::uint64_t number = 0;  ///< within the stream
  Clock before;              ///< and itself
};
RunningWork& runningWork();

/// What work last touched 256 bytes of device memory, which are of one block.
struct OrderPage {
  static constexpr std::uint64_t kBytes = 256;
  static constexpr std::size_t kReaders = 4;
  struct Mark {
    std::uint32_t stream;
    std::uint64_t number;  ///< 0: none
  };
  std::uint64_t operation;  ///< that was here last
  bool wrote;               ///< and whether it wrote
  Mark writer;
  Mark readers[kReaders];
};
/// Of the page that this byte of device memory, counted from the first, lies in.
OrderPage& orderPage(std::uint64_t at);

/// Notes that the running work touches the page; not empty where it is unordered with what another
/// stream did there, and says how.
std::string touch(OrderPage& page, bool writes);
/// The same of all pages of these bytes.
std::string touchAll(std::uint64_t at, std::size_t bytes, bool writes);

}  // namespace millrace::ptx
