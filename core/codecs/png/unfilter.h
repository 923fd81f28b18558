// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::png {

/// The filter types of ISO 15948, section 9.2, as stored before each row.
enum class Filter : std::uint8_t { None, Sub, Up, Average, Paeth };
constexpr std::uint8_t kLastFilter = static_cast<std::uint8_t>(Filter::Paeth);

/// One row of a picture: its filtered bytes, and where the unfiltered ones go. Both may be the same
/// memory; otherwise they do not overlap.
struct FilteredRow {
  Filter filter = Filter::None;
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
};

/// Undoes the filters of the first `bytes` bytes of consecutive rows. `above` holds the unfiltered
/// bytes of the row before the first one, zeros for the picture's first row. `pixelBytes` is 1 to
/// 4. Reads and writes nothing beyond `bytes`.
///
/// Sub is a prefix sum with shifted vectors. Average and Paeth proceed from pixel to pixel, so that
/// dependency chain is kept short: everything that depends on the row above alone is computed in
/// advance for many pixels at once (for Paeth the four ranges of the left byte in which the
/// predictor is the left, the smaller, the larger and again the left byte). With AVX2, whose
/// vectors have two halves, two such rows are processed together, the lower one two blocks behind.
void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes);

/// The reference for every vector level: the specification's formulas, byte by byte.
namespace plain {
void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes);
}  // namespace plain

}  // namespace millrace::png
