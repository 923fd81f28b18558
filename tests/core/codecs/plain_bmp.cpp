// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/plain_bmp.h"

namespace millrace::tests {

std::vector<std::byte> PlainBmp::file() const {
  std::vector<std::byte> file;
  const auto put = [&file](std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) file.push_back(std::byte(value >> (8 * i)));
  };
  const std::size_t maskBytes = head == 40 ? masks.size() * 4 : 0;
  const std::size_t entry = head == 12 ? 3 : 4;
  const std::size_t begin = 14 + head + maskBytes + palette.size() * entry;
  put(0x4d42, 2);
  put(begin + data.size(), 4);
  put(0, 4);
  put(begin, 4);
  put(head, 4);
  put(std::uint32_t(width), head == 12 ? 2 : 4);
  put(std::uint32_t(height), head == 12 ? 2 : 4);
  put(1, 2);
  put(bits, 2);
  if (head > 12) {
    put(code, 4);
    put(data.size(), 4);
    put(0, 8);
    put(palette.size(), 4);
    put(0, 4);
    for (const std::uint32_t mask : masks) put(mask, 4);
    while (file.size() < 14U + head) put(0, 1);
  }
  for (const auto& [red, green, blue] : palette) {
    put(blue, 1);
    put(green, 1);
    put(red, 1);
    if (entry == 4) put(0, 1);
  }
  for (const std::uint8_t byte : data) put(byte, 1);
  return file;
}

std::vector<std::uint8_t> bmpRows(const Picture& values, int bits, bool topDown) {
  std::vector<std::uint8_t> data;
  for (int i = 0; i < values.height; ++i) {
    const int y = topDown ? i : values.height - 1 - i;
    std::vector<std::uint8_t> row((std::size_t(values.width) * bits + 31) / 32 * 4);
    for (int x = 0; x < values.width; ++x) {
      if (bits == 24) {
        for (int c = 0; c < 3; ++c) row[std::size_t(x) * 3 + 2 - c] = values.at(x, y, c);
      } else if (bits > 8) {
        for (int c = 0; c < bits / 8; ++c) row[std::size_t(x) * bits / 8 + c] = values.at(x, y, c);
      } else {
        const std::size_t bit = std::size_t(x) * bits;
        row[bit / 8] |= std::uint8_t(values.at(x, y) << (8 - bits - bit % 8));
      }
    }
    data.insert(data.end(), row.begin(), row.end());
  }
  return data;
}

PlainBmp colourBmp(const Picture& picture, bool topDown, int head) {
  return {.width = picture.width,
          .height = topDown ? -picture.height : picture.height,
          .head = head,
          .data = bmpRows(picture, 24, topDown)};
}

}  // namespace millrace::tests
