// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/webp_chunks.h"

#include <algorithm>
#include <array>

#include "core/base/little_endian.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/several_pictures.h"

namespace millrace {

namespace {

constexpr std::size_t kChunkHead = 8;
constexpr std::size_t kFrameHead = 16;

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The content of a chunk ANMF.
WebpFrame frameOf(std::span<const std::byte> content) {
  const auto number = [&content](std::size_t at) {
    return std::to_integer<int>(content[at]) | std::to_integer<int>(content[at + 1]) << 8 |
           std::to_integer<int>(content[at + 2]) << 16;
  };
  constexpr auto kReplaces = std::byte{2};
  constexpr auto kClears = std::byte{1};
  WebpFrame frame;
  frame.step.place = {2 * number(0), 2 * number(3), number(6) + 1, number(9) + 1};
  frame.step.blends = (content[15] & kReplaces) == std::byte{0};
  if ((content[15] & kClears) != std::byte{0}) frame.step.disposal = Disposal::Clear;
  frame.chunks = content.subspan(kFrameHead);
  return frame;
}

/// A file of these chunks.
std::span<const std::byte> withAlpha(std::span<const std::byte> picture,
                                     std::span<const std::byte> alpha, Size size,
                                     std::vector<std::byte>& memory) {
  memory.clear();
  const auto number = [&memory](std::size_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) memory.push_back(std::byte(value >> 8U * i & 0xffU));
  };
  const auto name = [&memory](std::string_view text) {
    for (const char letter : text) memory.push_back(static_cast<std::byte>(letter));
  };
  const auto chunk = [&](std::string_view title, std::span<const std::byte> content) {
    name(title);
    number(content.size(), 4);
    memory.insert(memory.end(), content.begin(), content.end());
    if (content.size() % 2 != 0) number(0, 1);
  };
  constexpr std::size_t kExtendedChunk = 18;
  constexpr std::size_t kAlphaFlag = 0x10;
  const auto padded = [](std::size_t bytes) { return kChunkHead + bytes + bytes % 2; };
  name("RIFF");
  number(4 + kExtendedChunk + padded(alpha.size()) + padded(picture.size()), 4);
  name("WEBPVP8X");
  number(10, 4);
  number(kAlphaFlag, 4);
  number(static_cast<std::size_t>(size.width) - 1, 3);
  number(static_cast<std::size_t>(size.height) - 1, 3);
  chunk("ALPH", alpha);
  chunk("VP8 ", picture);
  return memory;
}

}  // namespace

std::optional<std::span<const std::byte>> webpChunk(std::span<const std::byte> chunks,
                                                    std::string_view name) {
  for (std::size_t at = 0; at + kChunkHead <= chunks.size();) {
    const std::size_t left = chunks.size() - at - kChunkHead;
    const std::size_t size = littleEndian<std::uint32_t>(chunks.data() + at + 4);
    if (isAt(chunks, at, name)) return chunks.subspan(at + kChunkHead, std::min(size, left));
    if (size > left) break;
    at += kChunkHead + size + size % 2;
  }
  return std::nullopt;
}

std::uint32_t countWebpFrames(const ReadBytes& read) {
  std::uint32_t frames = 0;
  std::array<std::byte, kChunkHead> head{};
  std::uint64_t at = kWebpHead;
  while (read(at, head) == head.size() && frames < kMostPictures) {
    if (textOf(head).starts_with("VP8 ") || textOf(head).starts_with("VP8L")) break;
    if (textOf(head).starts_with("ANMF")) ++frames;
    const std::uint64_t size = littleEndian<std::uint32_t>(&head[4]);
    at += kChunkHead + size + size % 2;
  }
  return frames;
}

Result<std::vector<WebpFrame>> webpFrames(std::span<const std::byte> file, std::uint32_t count) {
  std::vector<WebpFrame> frames;
  std::span<const std::byte> rest = file.subspan(std::min(kWebpHead, file.size()));
  while (frames.size() < count) {
    const auto content = webpChunk(rest, "ANMF");
    if (!content) break;
    if (content->size() < kFrameHead) return truncatedAfter(file.size());
    frames.push_back(frameOf(*content));
    const auto end = static_cast<std::size_t>(content->data() - file.data()) + content->size();
    rest = file.subspan(std::min(end + content->size() % 2, file.size()));
  }
  return frames;
}

std::optional<std::span<const std::byte>> webpFileOf(const WebpFrame& frame,
                                                     std::vector<std::byte>& memory) {
  if (const auto data = webpChunk(frame.chunks, "VP8L")) return *data;
  const auto data = webpChunk(frame.chunks, "VP8 ");
  if (!data) return std::nullopt;
  const auto alpha = webpChunk(frame.chunks, "ALPH");
  return alpha ? withAlpha(*data, *alpha, frame.step.place.size(), memory) : *data;
}

}  // namespace millrace
