// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/gif_blocks.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/little_endian.h"

namespace millrace {

namespace {

constexpr std::size_t kScreenBytes = 13;
constexpr std::size_t kFrameBytes = 10;

std::size_t coloursAfter(int flags) {
  return (flags & 0x80) == 0 ? 0 : std::size_t{3} << ((static_cast<unsigned>(flags) & 7U) + 1U);
}

Disposal disposalOf(int code) {
  if (code == 2) return Disposal::Clear;
  return code == 3 ? Disposal::Restore : Disposal::Keep;
}

class GifBlockReader {
 public:
  GifBlockReader(const ReadBytes& read, std::uint32_t wanted) : m_read(read), m_wanted(wanted) {}

  GifBlocks read() {
    std::array<std::byte, kScreenBytes> screen{};
    m_blocks.isCut = m_read(0, screen) != screen.size();
    if (m_blocks.isCut) return m_blocks;
    m_blocks.canvas = {littleEndian<std::uint16_t>(&screen[6]),
                       littleEndian<std::uint16_t>(&screen[8])};
    m_blocks.background = std::to_integer<int>(screen[11]);
    m_at = kScreenBytes + coloursAfter(std::to_integer<int>(screen[10]));
    while (m_blocks.frames.size() < m_wanted && readBlock()) {
    }
    m_blocks.isCut = m_ended && m_blocks.frames.empty();
    return m_blocks;
  }

 private:
  /// nullopt at the end of the file.
  std::optional<int> byteAt(std::uint64_t at) {
    std::byte value{};
    m_ended = m_read(at, {&value, 1}) != 1;
    return m_ended ? std::nullopt : std::optional(std::to_integer<int>(value));
  }

  /// False at the end, or at a byte that begins no block.
  bool readBlock() {
    const std::optional<int> kind = byteAt(m_at);
    if (kind == ',') return readFrame();
    if (kind != '!') return false;
    const std::optional<int> code = byteAt(m_at + 1);
    if (!code) return false;
    constexpr int kGraphicControl = 0xf9;
    std::array<std::byte, 5> control{};
    if (code == kGraphicControl && m_read(m_at + 2, control) == control.size() &&
        control[0] == std::byte{4}) {
      const auto flags = std::to_integer<int>(control[1]);
      m_next.transparent = (flags & 1) != 0 ? std::to_integer<int>(control[4]) : -1;
      m_next.step.disposal = disposalOf(flags >> 2 & 7);
    }
    m_at += 2;
    return skipData();
  }

  bool readFrame() {
    std::array<std::byte, kFrameBytes> head{};
    m_ended = m_read(m_at, head) != head.size();
    if (m_ended) return false;
    const auto word = [&head](std::size_t at) {
      return int{littleEndian<std::uint16_t>(&head[at])};
    };
    GifFrame frame = m_next;
    m_next = {};
    frame.step.place = {word(1), word(3), word(5), word(7)};
    frame.step.blends = frame.transparent >= 0;
    if (m_blocks.frames.empty()) {
      Size& canvas = m_blocks.canvas;
      canvas.width = std::max(canvas.width, frame.step.place.x + frame.step.place.width);
      canvas.height = std::max(canvas.height, frame.step.place.y + frame.step.place.height);
      if (frame.transparent >= 0) m_blocks.background = frame.transparent;
    }
    m_blocks.frames.push_back(frame);
    if (m_blocks.frames.size() == m_wanted) return false;
    m_at += kFrameBytes + coloursAfter(std::to_integer<int>(head[9])) + 1;
    return skipData();
  }

  bool skipData() {
    std::optional<int> bytes;
    while ((bytes = byteAt(m_at)).value_or(0) != 0) m_at += 1 + static_cast<std::uint64_t>(*bytes);
    ++m_at;
    return bytes.has_value();
  }

  const ReadBytes& m_read;
  const std::uint32_t m_wanted;
  std::uint64_t m_at = 0;
  bool m_ended = false;  ///< the last read found the end of the file
  GifFrame m_next;       ///< what the graphic control block before a frame says
  GifBlocks m_blocks;
};

}  // namespace

GifBlocks readGifBlocks(const ReadBytes& read, std::uint32_t wanted) {
  return GifBlockReader(read, wanted).read();
}

}  // namespace millrace
