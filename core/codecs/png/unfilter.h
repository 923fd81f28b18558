// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::png {

/// The filter types of ISO 15948, section 9.2, as they stand in front of a row.
enum class Filter : std::uint8_t { None, Sub, Up, Average, Paeth };
constexpr std::uint8_t kLastFilter = static_cast<std::uint8_t>(Filter::Paeth);

/// One row of a picture: its filtered bytes and where the plain ones go. Both may be the same
/// memory; else they do not overlap.
struct FilteredRow {
  Filter filter = Filter::None;
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
};

/// Undoes the filters of the first `bytes` bytes of consecutive rows. `above` are the plain bytes
/// of the row before the first one, zeros for the picture's first row. `pixelBytes` is 1 to 4.
/// Reads and writes nothing beyond `bytes`.
///
/// Sub is a sum over shifted vectors. Average and Paeth go from pixel to pixel, so the way from one
/// to the next is kept short: all that depends on the row above alone is computed before, for many
/// pixels at once (for Paeth the four ranges of the left byte in which the predictor is the left,
/// the smaller, the larger and again the left one), and two such rows go together, the lower one
/// two blocks behind, where the vectors have two halves (AVX2).
void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes);

/// The reference for every vector level: the specification's formulas, byte by byte.
namespace plain {
void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes);
}  // namespace plain

}  // namespace millrace::png
