// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace millrace {

/// CPU time of other processes that work for threads of this one. It counts as this process's own,
/// and as that of the thread that waits for them.
class HelperCpu {
 public:
  /// To be called by the thread that the other process worked for.
  static void add(std::uint64_t nanoseconds);
  static double processSeconds();
  /// Where add() also counts what the calling thread adds from now on; nullptr: nowhere.
  static void countThread(std::atomic<std::uint64_t>* nanoseconds);
};

}  // namespace millrace
