// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/picture_figures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/picture_figures.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

/// The sums of one channel of at most kRowPart pixels.
class ByteSums {
 public:
  using Bytes = hn::ScalableTag<std::uint8_t>;

  // Not as initialisers of the members: an implicit constructor has no target.
  ByteSums()
      : m_sum(hn::Zero(Sums())),
        m_squares(hn::Zero(Squares())),
        m_moreSquares(hn::Zero(Squares())) {}

  void add(hn::VFromD<Bytes> values) {
    m_sum = hn::Add(m_sum, hn::SumsOf8(values));
    // Even and odd bytes as 16-bit words.
    const auto words = hn::BitCast(Words(), values);
    addSquares(hn::And(words, hn::Set(Words(), 0xff)));
    addSquares(hn::ShiftRight<8>(words));
  }
  std::uint64_t sum() const { return hn::GetLane(hn::SumOfLanes(Sums(), m_sum)); }
  std::uint64_t squares() const {
    const auto all = hn::SumOfLanes(Squares(), hn::Add(m_squares, m_moreSquares));
    return static_cast<std::uint64_t>(hn::GetLane(all));
  }

 private:
  using Words = hn::Repartition<std::uint16_t, Bytes>;
  using SignedWords = hn::Repartition<std::int16_t, Bytes>;
  using Squares = hn::Repartition<std::int32_t, Bytes>;
  using Sums = hn::Repartition<std::uint64_t, Bytes>;

  void addSquares(hn::VFromD<Words> words) {
    const auto value = hn::BitCast(SignedWords(), words);
    m_squares = hn::ReorderWidenMulAccumulate(Squares(), value, value, m_squares, m_moreSquares);
  }

  hn::VFromD<Sums> m_sum;
  hn::VFromD<Squares> m_squares;
  hn::VFromD<Squares> m_moreSquares;
};

#endif  // HWY_TARGET != HWY_SCALAR

/// Adds the sums of `count` RGB pixels and returns how many pixels were not added: less than a
/// vector.
std::size_t addColoursHere([[maybe_unused]] const std::uint8_t* row, std::size_t count,
                           [[maybe_unused]] std::uint64_t* sum,
                           [[maybe_unused]] std::uint64_t* squares) {
#if HWY_TARGET != HWY_SCALAR
  const ByteSums::Bytes bytes;
  const std::size_t lanes = hn::Lanes(bytes);
  ByteSums red;
  ByteSums green;
  ByteSums blue;
  for (; count >= lanes; count -= lanes, row += 3 * lanes) {
    hn::VFromD<ByteSums::Bytes> r;
    hn::VFromD<ByteSums::Bytes> g;
    hn::VFromD<ByteSums::Bytes> b;
    hn::LoadInterleaved3(bytes, row, r, g, b);
    red.add(r);
    green.add(g);
    blue.add(b);
  }
  const ByteSums* const channels[] = {&red, &green, &blue};
  for (std::size_t c = 0; c < 3; ++c) {
    sum[c] += channels[c]->sum();
    squares[c] += channels[c]->squares();
  }
#endif
  return count;
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(addColoursHere);

namespace {

constexpr int kGridColumns = 9;
constexpr int kGridRows = 8;
constexpr int kRowsOfCell = 16;
/// Pixels for which sums of squares cannot overflow 31 bits in any lane.
constexpr std::size_t kRowPart = 4096;

void addPixels(const std::uint8_t* row, std::size_t count, PictureFigures& figures) {
  const auto channels = static_cast<std::size_t>(figures.channels);
  for (std::size_t x = 0; x < count; ++x)
    for (std::size_t c = 0; c < channels; ++c) {
      const std::uint64_t value = row[x * channels + c];
      figures.sum[c] += value;
      figures.squares[c] += value * value;
    }
}

void addRow(const std::uint8_t* row, std::size_t count, PictureFigures& figures) {
  if (figures.channels != 3) {
    addPixels(row, count, figures);
    return;
  }
  while (count > 0) {
    const std::size_t part = std::min(count, kRowPart);
    const std::size_t left =
        HWY_DYNAMIC_DISPATCH(addColoursHere)(row, part, figures.sum.data(), figures.squares.data());
    addPixels(row + 3 * (part - left), left, figures);
    row += 3 * part;
    count -= part;
  }
}

/// ITU-R 601 luma of the sum of `count` pixels, in 1/256.
std::uint64_t lumaOf(const std::uint8_t* row, std::size_t count, std::size_t channels) {
  std::uint64_t red = 0;
  std::uint64_t green = 0;
  std::uint64_t blue = 0;
  if (channels < 3) {
    for (std::size_t x = 0; x < count; ++x) red += row[x * channels];
    return red * 256;
  }
  for (std::size_t x = 0; x < count; ++x) {
    red += row[x * channels];
    green += row[x * channels + 1];
    blue += row[x * channels + 2];
  }
  return 77 * red + 150 * green + 29 * blue;
}

/// The span of a side that cell `i` of `cells` covers: at least one pixel.
struct CellSpan {
  int begin;
  int end;
};
CellSpan cellOf(int i, int cells, int side) {
  const auto at = [&](int k) { return static_cast<int>(std::int64_t{k} * side / cells); };
  const int begin = std::min(at(i), side - 1);
  return {begin, std::max(begin + 1, at(i + 1))};
}

}  // namespace

double PictureFigures::mean(int channel) const {
  return static_cast<double>(sum[static_cast<std::size_t>(channel)]) / static_cast<double>(pixels);
}

double PictureFigures::meanSquare(int channel) const {
  return static_cast<double>(squares[static_cast<std::size_t>(channel)]) /
         static_cast<double>(pixels);
}

double PictureFigures::deviation(int channel) const {
  const double average = mean(channel);
  return std::sqrt(std::max(0.0, meanSquare(channel) - average * average));
}

bool PictureFigures::isConstant() const {
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
    const std::uint64_t value = sum[c] / pixels;
    if (value * pixels != sum[c] || value * value * pixels != squares[c]) return false;
  }
  return true;
}

PictureFigures figuresOf(const ImageView& picture) {
  PictureFigures figures;
  figures.channels = picture.channels;
  figures.pixels =
      static_cast<std::uint64_t>(picture.width) * static_cast<std::uint64_t>(picture.height);
  for (int y = 0; y < picture.height; ++y)
    addRow(picture.row(y), static_cast<std::size_t>(picture.width), figures);
  return figures;
}

std::uint64_t differenceHash(const ImageView& picture) {
  const auto channels = static_cast<std::size_t>(picture.channels);
  std::uint64_t hash = 0;
  for (int cellY = 0; cellY < kGridRows; ++cellY) {
    const CellSpan rows = cellOf(cellY, kGridRows, picture.height);
    const int count = std::min(kRowsOfCell, rows.end - rows.begin);
    std::array<double, kGridColumns> means{};
    for (int cellX = 0; cellX < kGridColumns; ++cellX) {
      const CellSpan columns = cellOf(cellX, kGridColumns, picture.width);
      const auto width = static_cast<std::size_t>(columns.end - columns.begin);
      std::uint64_t luma = 0;
      for (int i = 0; i < count; ++i) {
        const CellSpan part = cellOf(i, count, rows.end - rows.begin);
        const std::uint8_t* row = picture.row(rows.begin + (part.begin + part.end) / 2);
        luma += lumaOf(row + static_cast<std::size_t>(columns.begin) * channels, width, channels);
      }
      means[static_cast<std::size_t>(cellX)] =
          static_cast<double>(luma) / static_cast<double>(width * static_cast<std::size_t>(count));
    }
    for (std::size_t x = 0; x + 1 < means.size(); ++x)
      if (means[x] < means[x + 1])
        hash |= std::uint64_t{1} << (static_cast<std::size_t>(cellY) * 8 + x);
  }
  return hash;
}

}  // namespace millrace
#endif
