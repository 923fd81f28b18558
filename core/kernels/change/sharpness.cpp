// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/sharpness.h"

#include <algorithm>
#include <cstddef>

#include "core/kernels/change/sharpness_row.h"

namespace millrace {

void Sharpness::run(MutableImageView picture, double factor) {
  if (picture.width <= 2 || picture.height <= 2) return;
  const auto step = static_cast<std::size_t>(picture.channels);
  const std::size_t count = static_cast<std::size_t>(picture.width) * step;
  m_above.assign(picture.row(0), picture.row(0) + count);
  m_here.resize(count);
  m_sums.resize(count);
  const auto rest = static_cast<float>(1.0 - factor);
  for (int y = 1; y + 1 < picture.height; ++y) {
    std::uint8_t* const row = picture.row(y);
    std::copy_n(row, count, m_here.begin());
    addRows(m_above.data(), m_here.data(), picture.row(y + 1), count, m_sums.data());
    sharpenRow(m_here.data(), m_sums.data(), count, step, rest, row);
    if (step == 4)
      for (std::size_t i = 3; i < count; i += 4) row[i] = m_here[i];
    m_above.swap(m_here);
  }
}

}  // namespace millrace
