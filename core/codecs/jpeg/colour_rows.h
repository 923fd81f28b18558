// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::jpeg {

/// Bytes that these functions may write after a row of pixels, and read after its samples.
constexpr std::size_t kRowOverrun = 128;

/// How chroma rows are upsampled to luma's resolution (jdsample.c).
enum class Upsampling : std::uint8_t {
  None,
  Repeat2,      ///< each sample twice
  Repeat4,      ///< each sample four times
  SmoothAcross  ///< 3/4 of the sample and 1/4 of the nearer neighbour
};

/// One row of chroma samples, and what smoothing needs around it.
struct ChromaRow {
  const std::uint8_t* samples = nullptr;
  /// The row above or below if two rows of luma share one of chroma and rows are smoothed, else
  /// nullptr.
  const std::uint8_t* near = nullptr;
  bool isLower = false;  ///< `near` is the row below
  int count = 0;         ///< number of samples
  /// Whether there are samples before the first and after the last one; otherwise the outermost one
  /// is repeated.
  bool hasLeft = false;
  bool hasRight = false;
};

/// Upsamples a row to `row.count` times 1, 2 or 4 samples at `out`. `sums` is scratch for row.count
/// + kRowOverrun values.
void upsampleRow(const ChromaRow& row, Upsampling how, std::int16_t* sums, std::uint8_t* out);

/// Converts `width` pixels from YCbCr to RGB with the integer arithmetic of jdcolor.c.
void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb);
/// Copies one channel to three.
void greyToRgb(const std::uint8_t* grey, int width, std::uint8_t* rgb);

/// The references for every vector level.
namespace plain {
void upsampleRow(const ChromaRow& row, Upsampling how, std::uint8_t* out);
void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb);
}  // namespace plain

}  // namespace millrace::jpeg
