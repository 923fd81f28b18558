// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_pass_float.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/check.h"
#include "core/kernels/half.h"
#include "core/kernels/pass/pixel_pass_spec.h"
#include "core/kernels/pass/pixel_table.h"

namespace millrace {

namespace {

/// The nearest number from 0 to 65535; 0 for a NaN.
std::uint16_t u16FromF32(float value) {
  if (!(value > 0)) return 0;
  return static_cast<std::uint16_t>(std::lround(std::min(value, 65535.0F)));
}

void store(float value, DType type, std::byte* out) {
  if (type == DType::F32) {
    std::memcpy(out, &value, sizeof(value));
    return;
  }
  const std::uint16_t half = type == DType::U16    ? u16FromF32(value)
                             : type == DType::BF16 ? bf16FromF32(value)
                                                   : f16FromF32(value);
  std::memcpy(out, &half, sizeof(half));
}

}  // namespace

void FloatPass::makeRow(const FloatImageView& source, int row) {
  float* out = slot(row);
  for (int i = 0; i < m_x.outputs(); ++i)
    for (int c = 0; c < source.channels; ++c) {
      const float* pixel = source.data + row * source.rowStride +
                           m_x.first(i) * source.pixelStride + c * source.channelStride;
      double sum = 0;
      for (int k = 0; k < m_x.count(i); ++k)
        sum += static_cast<double>(pixel[k * source.pixelStride]) * m_x.weights(i)[k];
      *out++ = static_cast<float>(sum);
    }
}

/// Sums the columns of a result row.
void FloatPass::sumColumns(int row) {
  double* const sums = reinterpret_cast<double*>(m_sums.data());
  std::fill_n(sums, m_rowSize, 0.0);
  for (int k = 0; k < m_y.count(row); ++k) {
    const float* const from = slot(m_y.first(row) + k);
    const double weight = m_y.weights(row)[k];
    for (std::size_t i = 0; i < m_rowSize; ++i) sums[i] += static_cast<double>(from[i]) * weight;
  }
}

/// Writes the sums as row `at` of a picture of this size.
void FloatPass::writeRow(const OutputForm& form, std::size_t at, Size size, int channels,
                         std::byte* out) const {
  const double* sum = reinterpret_cast<const double*>(m_sums.data());
  const auto width = static_cast<std::size_t>(size.width);
  const auto height = static_cast<std::size_t>(size.height);
  const std::size_t bytes = sizeOf(form.dtype);
  const bool planar = isPlanar(form, channels);
  for (std::size_t x = 0; x < width; ++x)
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
      auto value = static_cast<float>(*sum++);
      if (form.normalise) value = normalised(value, form.mean[c], form.deviation[c]);
      const std::size_t place = planar
                                    ? (c * height + at) * width + x
                                    : at * m_rowSize + x * static_cast<std::size_t>(channels) + c;
      store(value, form.dtype, out + place * bytes);
    }
}

void FloatPass::run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
                    std::byte* out) {
  MILLRACE_CHECK(form.dtype != DType::U8, "f32 pixels cannot be written as u8");
  m_x.compute(horizontalAxis(spec));
  m_y.compute(verticalAxis(spec));
  MILLRACE_CHECK(m_x.within(source.width) && m_y.within(source.height),
                 "the part that the cut needs must be inside the image");
  const Size cut = spec.cut.size();
  m_rowSize = static_cast<std::size_t>(cut.width) * static_cast<std::size_t>(source.channels);
  m_ring.reserve(m_rowSize * static_cast<std::size_t>(m_y.taps()) * sizeof(float));
  m_sums.reserve(m_rowSize * sizeof(double));
  int nextRow = 0;
  for (int row = 0; row < cut.height; ++row) {
    nextRow = std::max(nextRow, m_y.first(row));
    for (; nextRow < m_y.first(row) + m_y.count(row); ++nextRow) makeRow(source, nextRow);
    sumColumns(row);
    const int at = spec.flipY ? cut.height - 1 - row : row;
    writeRow(form, static_cast<std::size_t>(at), cut, source.channels, out);
  }
}

}  // namespace millrace
