// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gif_lib.h>

#include "tests/core/codecs/part_pictures.h"

namespace millrace::tests {

namespace {

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  auto& file = *static_cast<std::vector<std::byte>*>(gif->UserData);
  const auto* first = reinterpret_cast<const std::byte*>(bytes);
  file.insert(file.end(), first, first + count);
  return count;
}

void writeFrame(GifFileType* gif, const Picture& indices, const PlainGif& how) {
  EGifPutImageDesc(gif, how.left, how.top, indices.width, indices.height, how.interlaced, nullptr);
  const auto row = [&](int y) {
    std::vector<GifPixelType> line(std::size_t(indices.width));
    for (int x = 0; x < indices.width; ++x) line[std::size_t(x)] = indices.at(x, y);
    EGifPutLine(gif, line.data(), indices.width);
  };
  if (!how.interlaced) {
    for (int y = 0; y < indices.height; ++y) row(y);
    return;
  }
  constexpr int kPasses[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  for (const auto& pass : kPasses)
    for (int y = pass[0]; y < indices.height; y += pass[1]) row(y);
}

}  // namespace

std::array<std::uint8_t, 3> gifColour(int index) {
  return {std::uint8_t(index * 7), std::uint8_t(255 - index), std::uint8_t(index * 31 + 5)};
}

std::vector<std::byte> writePlainGif(const Picture& indices, const PlainGif& how) {
  std::vector<std::byte> file;
  int error = 0;
  GifFileType* gif = EGifOpen(&file, append, &error);
  EGifSetGifVersion(gif, true);
  ColorMapObject* colours = GifMakeMapObject(256, nullptr);
  for (int i = 0; i < 256; ++i) {
    const auto colour = gifColour(i);
    colours->Colors[i] = {colour[0], colour[1], colour[2]};
  }
  const Size screen = how.screen.width > 0 ? how.screen : Size{indices.width, indices.height};
  EGifPutScreenDesc(gif, screen.width, screen.height, 8, 3, colours);
  for (int frame = 0; frame < how.frames; ++frame) {
    const GifByteType control[] = {GifByteType(how.disposal << 2 | (how.transparent >= 0)), 10, 0,
                                   GifByteType(std::max(how.transparent, 0))};
    EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, control);
    writeFrame(gif, frameOf(indices, frame), how);
  }
  EGifCloseFile(gif, &error);
  GifFreeMapObject(colours);
  return file;
}

}  // namespace millrace::tests
