// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "core/codecs/png/unfilter.h"

namespace millrace::png::plain {
namespace {

/// ISO 15948, section 9.4.
int paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int toLeft = std::abs(estimate - left);
  const int toAbove = std::abs(estimate - above);
  const int toCorner = std::abs(estimate - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

int predicted(Filter filter, int left, int above, int corner) {
  switch (filter) {
    case Filter::None: return 0;
    case Filter::Sub: return left;
    case Filter::Up: return above;
    case Filter::Average: return (left + above) / 2;
    case Filter::Paeth: return paeth(left, above, corner);
  }
  return 0;
}

}  // namespace

void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes) {
  for (const FilteredRow& row : rows) {
    for (std::size_t i = 0; i < bytes; ++i) {
      const int left = i < pixelBytes ? 0 : row.to[i - pixelBytes];
      const int corner = i < pixelBytes ? 0 : above[i - pixelBytes];
      row.to[i] =
          static_cast<std::uint8_t>(row.from[i] + predicted(row.filter, left, above[i], corner));
    }
    above = row.to;
  }
}

}  // namespace millrace::png::plain
