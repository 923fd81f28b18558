// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/buffer.h"
#include "core/kernels/pass/pixel_pass.h"
#include "core/kernels/pass/resample_weights.h"

namespace millrace {

/// The pixel pass on f32 input, not vectorised: f64 sums, rounded to f32 after the rows and again
/// after the columns, as Pillow does for mode F. For use by one thread; scratch memory only grows.
class FloatPass {
 public:
  void run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
           std::byte* out);

 private:
  float* slot(int row) {
    return reinterpret_cast<float*>(m_ring.data()) +
           static_cast<std::size_t>(row % m_y.taps()) * m_rowSize;
  }
  void makeRow(const FloatImageView& source, int row);
  void sumColumns(int row);
  void writeRow(const OutputForm& form, std::size_t at, Size size, int channels,
                std::byte* out) const;

  AxisWeights m_x;
  AxisWeights m_y;
  Buffer m_ring;  ///< rows in the result's width, channels interleaved
  Buffer m_sums;  ///< of one result row, in f64
  std::size_t m_rowSize = 0;
};

}  // namespace millrace
