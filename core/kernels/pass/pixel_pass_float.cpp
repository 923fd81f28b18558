// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_pass_float.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/kernels/half.h"
#include "core/kernels/pass/pixel_pass_spec.h"
#include "core/kernels/pass/pixel_table.h"

namespace millrace {

namespace {

void store(float value, DType type, std::byte* out) {
  if (type == DType::F32) {
    std::memcpy(out, &value, sizeof(value));
    return;
  }
  const std::uint16_t half = type == DType::BF16 ? bf16FromF32(value) : f16FromF32(value);
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

float FloatPass::columnSum(int row, std::size_t at) {
  double sum = 0;
  for (int k = 0; k < m_y.count(row); ++k)
    sum += static_cast<double>(slot(m_y.first(row) + k)[at]) * m_y.weights(row)[k];
  return static_cast<float>(sum);
}

void FloatPass::run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
                    std::byte* out) {
  MILLRACE_CHECK(form.dtype != DType::U8, "f32 pixels cannot be written as u8");
  m_x.compute(horizontalAxis(spec));
  m_y.compute(verticalAxis(spec));
  MILLRACE_CHECK(m_x.within(source.width) && m_y.within(source.height),
                 "the part that the cut needs must be inside the image");
  const Size cut = spec.cut.size();
  const auto channels = static_cast<std::size_t>(source.channels);
  const auto width = static_cast<std::size_t>(cut.width);
  const auto height = static_cast<std::size_t>(cut.height);
  const bool planar = isPlanar(form, source.channels);
  m_rowSize = width * channels;
  m_ring.reserve(m_rowSize * static_cast<std::size_t>(m_y.taps()) * sizeof(float));

  int nextRow = 0;
  for (int row = 0; row < cut.height; ++row) {
    nextRow = std::max(nextRow, m_y.first(row));
    for (; nextRow < m_y.first(row) + m_y.count(row); ++nextRow) makeRow(source, nextRow);
    const auto at = static_cast<std::size_t>(spec.flipY ? cut.height - 1 - row : row);
    for (std::size_t i = 0; i < m_rowSize; ++i) {
      const std::size_t c = i % channels;
      float value = columnSum(row, i);
      if (form.normalise) value = normalised(value, form.mean[c], form.deviation[c]);
      const std::size_t place =
          planar ? (c * height + at) * width + i / channels : at * m_rowSize + i;
      store(value, form.dtype, out + place * sizeOf(form.dtype));
    }
  }
}

}  // namespace millrace
