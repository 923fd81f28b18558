// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace::bench {

inline std::vector<std::byte> fileBytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

/// torchvision's RandomResizedCrop.get_params: 8 to 100 % of the area, 3:4 to 4:3.
inline Rect randomCrop(Size size, Draw& draw) {
  const double area = static_cast<double>(size.width) * size.height;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double target = area * draw.uniform(0.08, 1.0);
    const double ratio = std::exp(draw.uniform(std::log(3.0 / 4.0), std::log(4.0 / 3.0)));
    const int width = static_cast<int>(std::lround(std::sqrt(target * ratio)));
    const int height = static_cast<int>(std::lround(std::sqrt(target / ratio)));
    if (width < 1 || height < 1 || width > size.width || height > size.height) continue;
    return {static_cast<int>(draw.integer(0, size.width - width)),
            static_cast<int>(draw.integer(0, size.height - height)), width, height};
  }
  const int side = std::min(size.width, size.height);
  return {(size.width - side) / 2, (size.height - side) / 2, side, side};
}

}  // namespace millrace::bench
