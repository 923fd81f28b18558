// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/warp/elastic.h"

#include <algorithm>
#include <cstdint>

#include "core/base/check.h"
#include "core/kernels/affine.h"
#include "core/kernels/colour/blur.h"
#include "core/kernels/colour/blur_rows.h"
#include "core/kernels/colour/colour_rules.h"

namespace millrace {

namespace {

std::size_t wholeBlocks(std::size_t count) {
  return (count + kBlurBlock - 1) / kBlurBlock * kBlurBlock;
}

std::size_t mirrored(std::int64_t i, std::size_t size) {
  return static_cast<std::size_t>(borderIndex(i, static_cast<std::int64_t>(size), Border::Reflect));
}

/// Uniform from -1 to 1, two numbers of 16 bits for each draw.
void fillWithNoise(std::vector<float>& field, Draw& draw) {
  const auto unit = [](std::uint32_t bits) {
    return (static_cast<float>(bits) + 0.5F) / 32768.0F - 1.0F;
  };
  for (std::size_t i = 0; i < field.size(); i += 2) {
    const std::uint32_t bits = draw.bits();
    field[i] = unit(bits & 0xffffU);
    if (i + 1 < field.size()) field[i + 1] = unit(bits >> 16U);
  }
}

/// torch.linspace((1 - size) / size, (size - 1) / size, size)[i].
float centreOf(int i, int size) {
  const auto end = static_cast<float>((size - 1.0) / size);
  if (size == 1) return end;
  const float step = (end + end) / static_cast<float>(size - 1);
  return i < size / 2 ? fusedSum(step, static_cast<float>(i), -end)
                      : fusedSum(-step, static_cast<float>(size - 1 - i), end);
}

}  // namespace

void ElasticField::smooth(Size size, std::vector<float>& field) {
  const auto width = static_cast<std::size_t>(size.width);
  const auto height = static_cast<std::size_t>(size.height);
  const std::size_t half = m_weights.size() / 2;
  const std::size_t row = wholeBlocks(width);
  m_line.resize(std::max(m_line.size(), row + 2 * half));
  m_padded.resize(std::max(m_padded.size(), row * (height + 2 * half)));
  m_sums.resize(std::max(m_sums.size(), row));
  m_rows.resize(m_weights.size());
  const auto paddedRow = [&](std::size_t y) { return m_padded.data() + y * row; };
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t i = 0; i < width + 2 * half; ++i)
      m_line[i] =
          field[y * width +
                mirrored(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(half), width)];
    for (std::size_t k = 0; k < m_rows.size(); ++k) m_rows[k] = m_line.data() + k;
    sumRows(m_rows.data(), m_weights.data(), m_rows.size(), row, paddedRow(y + half));
  }
  for (std::size_t y = 0; y < height + 2 * half; ++y) {
    if (y >= half && y < height + half) continue;
    const std::size_t from =
        mirrored(static_cast<std::int64_t>(y) - static_cast<std::int64_t>(half), height);
    std::copy_n(paddedRow(from + half), row, paddedRow(y));
  }
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t k = 0; k < m_rows.size(); ++k) m_rows[k] = paddedRow(y + k);
    sumRows(m_rows.data(), m_weights.data(), m_rows.size(), row, m_sums.data());
    std::copy_n(m_sums.begin(), width, field.begin() + static_cast<std::ptrdiff_t>(y * width));
  }
}

void ElasticField::draw(Size size, double alpha, double sigma, Draw& draw, Displacement& into) {
  const std::size_t count =
      static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  into.size = size;
  if (sigma > 0) gaussianWeights(static_cast<int>(8 * sigma + 1) | 1, sigma, m_weights);
  for (std::vector<float>* field : {&into.x, &into.y}) {
    field->resize(count);
    fillWithNoise(*field, draw);
    if (sigma > 0) smooth(size, *field);
    const auto scale = static_cast<float>(alpha / (field == &into.x ? size.width : size.height));
    for (float& each : *field) each *= scale;
  }
}

void ElasticWarp::run(const ImageView& from, const Displacement& displacement,
                      const GridSampling& rule, MutableImageView to) {
  MILLRACE_CHECK(from.size() == to.size() && from.channels == to.channels,
                 "an elastic distortion keeps the size");
  const auto width = static_cast<std::size_t>(from.width);
  for (std::vector<float>* each : {&m_across, &m_x, &m_y})
    each->resize(std::max(each->size(), width));
  for (int x = 0; x < from.width; ++x)
    m_across[static_cast<std::size_t>(x)] = centreOf(x, from.width);
  const Size field = displacement.size;
  for (int y = 0; y < to.height; ++y) {
    const std::int64_t fieldRow = std::int64_t{y} * field.height / from.height * field.width;
    const float down = centreOf(y, from.height);
    for (std::size_t x = 0; x < width; ++x) {
      const auto at = static_cast<std::size_t>(fieldRow + static_cast<std::int64_t>(x) *
                                                              field.width / from.width);
      m_x[x] = m_across[x] + displacement.x[at];
      m_y[x] = down + displacement.y[at];
    }
    m_sampler.row(from, m_x.data(), m_y.data(), width, rule, to.row(y));
  }
}

}  // namespace millrace
