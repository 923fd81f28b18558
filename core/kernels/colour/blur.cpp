// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/blur.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/kernels/affine.h"
#include "core/kernels/colour/blur_rows.h"

namespace millrace {

namespace {

std::size_t wholeBlocks(std::size_t count) {
  return (count + kBlurBlock - 1) / kBlurBlock * kBlurBlock;
}

int mirrored(int i, int size) { return static_cast<int>(borderIndex(i, size, Border::Reflect)); }

}  // namespace

void gaussianWeights(int size, double sigma, std::vector<float>& weights) {
  weights.resize(static_cast<std::size_t>(size));
  const double half = (size - 1) * 0.5;
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += std::exp(-0.5 * std::pow((i - half) / sigma, 2));
  for (int i = 0; i < size; ++i)
    weights[static_cast<std::size_t>(i)] =
        static_cast<float>(std::exp(-0.5 * std::pow((i - half) / sigma, 2)) / sum);
}

float* GaussianBlur::slot(int row) {
  const int taps = static_cast<int>(m_down.size());
  // Rows above the picture have negative numbers, down to -taps / 2.
  return reinterpret_cast<float*>(m_ring.data()) +
         static_cast<std::size_t>((row + taps) % taps) * m_rowSize;
}

void GaussianBlur::makeRow(MutableImageView image, int row) {
  if (row >= image.height) {
    // The mirrored row may already be overwritten in the picture, but its sums are still in the
    // ring.
    std::copy_n(slot(mirrored(row, image.height)), m_rowSize, slot(row));
    return;
  }
  const int half = static_cast<int>(m_across.size()) / 2;
  const std::uint8_t* from = image.row(mirrored(row, image.height));
  float* line = m_line.data();
  const int channels = image.channels;
  const auto place = [&](int x) { return line + (x + half) * channels; };
  for (int i = 0; i < image.width * channels; ++i) place(0)[i] = static_cast<float>(from[i]);
  for (int i = 1; i <= half; ++i) {
    std::copy_n(place(mirrored(-i, image.width)), channels, place(-i));
    std::copy_n(place(mirrored(image.width - 1 + i, image.width)), channels,
                place(image.width - 1 + i));
  }
  m_rows.clear();
  for (int k = -half; k <= half; ++k) m_rows.push_back(place(k));
  sumRows(m_rows.data(), m_across.data(), m_across.size(), m_rowSize, slot(row));
}

void GaussianBlur::writeRow(MutableImageView image, int row) {
  const int half = static_cast<int>(m_down.size()) / 2;
  m_rows.clear();
  for (int k = row - half; k <= row + half; ++k) m_rows.push_back(slot(k));
  sumRows(m_rows.data(), m_down.data(), m_down.size(), m_rowSize, m_sums.data());
  roundRow(m_sums.data(), static_cast<std::size_t>(image.width * image.channels), image.row(row));
}

void GaussianBlur::run(MutableImageView image, const GaussianSpec& spec) {
  MILLRACE_CHECK(spec.size.width % 2 == 1 && spec.size.height % 2 == 1 && spec.size.width > 0 &&
                     spec.size.height > 0,
                 "a blur kernel must have an odd size");
  MILLRACE_CHECK(spec.sigmaX > 0 && spec.sigmaY > 0, "a blur's sigma must be above zero");
  gaussianWeights(spec.size.width, spec.sigmaX, m_across);
  gaussianWeights(spec.size.height, spec.sigmaY, m_down);
  m_rowSize = wholeBlocks(static_cast<std::size_t>(image.width * image.channels));
  m_line.resize(std::max(m_line.size(),
                         m_rowSize + static_cast<std::size_t>(spec.size.width * image.channels)));
  m_sums.resize(std::max(m_sums.size(), m_rowSize));
  m_ring.reserve(m_rowSize * m_down.size() * sizeof(float));

  // In place is possible because each row is read `half` rows before it is written.
  const int half = spec.size.height / 2;
  for (int row = -half; row < half; ++row) makeRow(image, row);
  for (int row = 0; row < image.height; ++row) {
    makeRow(image, row + half);
    writeRow(image, row);
  }
}

}  // namespace millrace
