// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/buffer.h"

namespace millrace::jpeg {

/// The entropy-coded bytes of a scan without stuffing (the 0 after each 0xff), split at restart
/// markers. Keeps its memory, which is never more than the file's size plus kPadding.
class ScanBytes {
 public:
  /// Zeros after the last segment: decoders check their position once per MCU, and no MCU takes
  /// more than 6 blocks of 64 symbols of 31 bits.
  static constexpr std::size_t kPadding = 4096;

  /// Copies from `data` up to the end or the first marker; with `restarts`, restart markers in
  /// sequence start new segments instead. `firstSegment`: the number of the segment in which `data`
  /// begins.
  void assign(std::span<const std::byte> data, bool restarts, std::size_t firstSegment = 0);

  std::size_t segments() const { return m_ends.size(); }
  /// The bytes of segment `i`. Reading past its end is safe: other segments follow, then kPadding
  /// zeros.
  std::span<const std::uint8_t> segment(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return {reinterpret_cast<const std::uint8_t*>(m_bytes.data()) + begin, m_ends[i] - begin};
  }
  /// The offset of segment `i` in the assigned data.
  std::size_t origin(std::size_t i) const { return i == 0 ? 0 : m_origins[i - 1]; }

 private:
  Buffer m_bytes;
  std::vector<std::size_t> m_ends;
  std::vector<std::size_t> m_origins;  ///< of all segments except the first
};

/// Copies `from` to `to` up to the first 0xff or the end. Works in whole vectors, so up to
/// kCopyOverrun more bytes are written. Returns the number of bytes before the 0xff.
std::size_t copyUntilFf(const std::uint8_t* from, std::size_t size, std::uint8_t* to);
constexpr std::size_t kCopyOverrun = 64;

/// Counts the 0xff in `bytes`.
std::size_t countFf(std::span<const std::uint8_t> bytes);

}  // namespace millrace::jpeg
