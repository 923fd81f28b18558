// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

namespace millrace {

/// When a request that has no answer yet is sent a second time: once it waits longer than 99 of 100
/// recent ones did, so that about one request in a hundred is sent twice (hedged requests: Dean and
/// Barroso, "The Tail at Scale", CACM 56, 2013). One thread.
class HedgeDelay {
 public:
  using Duration = std::chrono::nanoseconds;

  /// The time to the first byte of a request.
  void add(Duration firstByte);
  /// nullopt: too few are known.
  std::optional<Duration> delay() const { return m_delay; }
  /// Whether another second request is within the limit of one in 50. Counts it, if so.
  bool take();

 private:
  static constexpr std::size_t kKept = 512;

  std::array<Duration, kKept> m_recent{};
  std::size_t m_known = 0;  ///< all that were added
  std::size_t m_taken = 0;
  std::optional<Duration> m_delay;
};

}  // namespace millrace
