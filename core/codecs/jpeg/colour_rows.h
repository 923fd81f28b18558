// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::jpeg {

/// Bytes that these functions may write behind a row of pixels, and read behind its samples.
constexpr std::size_t kRowOverrun = 128;

/// How a row of chroma becomes as wide and as many as the rows of luma (jdsample.c).
enum class Upsampling : std::uint8_t {
  None,
  Repeat2,      ///< each sample twice
  Repeat4,      ///< each sample four times
  SmoothAcross  ///< 3/4 of the sample and 1/4 of the nearer neighbour
};

/// One row of chroma samples and what smoothing needs beside it.
struct ChromaRow {
  const std::uint8_t* samples = nullptr;
  /// The row above or below where two rows of luma share one of chroma and rows are smoothed, else
  /// null.
  const std::uint8_t* near = nullptr;
  bool isLower = false;  ///< `near` is the row below
  int count = 0;         ///< of samples
  /// There are samples before the first and behind the last one; else the outermost is repeated.
  bool hasLeft = false;
  bool hasRight = false;
};

/// Widens a row to `row.count` times 1, 2 or 4 samples at `out`. `sums` is scratch of
/// row.count + kRowOverrun values.
void upsampleRow(const ChromaRow& row, Upsampling how, std::int16_t* sums, std::uint8_t* out);

/// YCbCr to RGB by the integers of jdcolor.c: `width` pixels.
void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb);
/// One channel to three.
void greyToRgb(const std::uint8_t* grey, int width, std::uint8_t* rgb);

/// The references for every vector level.
namespace plain {
void upsampleRow(const ChromaRow& row, Upsampling how, std::uint8_t* out);
void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb);
}  // namespace plain

}  // namespace millrace::jpeg
