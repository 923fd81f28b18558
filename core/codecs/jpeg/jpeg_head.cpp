// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/jpeg_head.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace millrace::jpeg {

namespace {

constexpr int kMaxSide = 65500;  // The library's limit.

/// The bytes of one marker's segment; reading past its end returns 0 and is recorded.
class Segment {
 public:
  explicit Segment(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  unsigned byte() {
    if (m_at >= m_bytes.size()) {
      m_short = true;
      return 0;
    }
    return std::to_integer<unsigned>(m_bytes[m_at++]);
  }
  unsigned word() {
    const unsigned high = byte();
    return high << 8U | byte();
  }
  bool atEnd() const { return m_at == m_bytes.size(); }
  bool isShort() const { return m_short; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()};
  }

 private:
  std::span<const std::byte> m_bytes;
  std::size_t m_at = 0;
  bool m_short = false;
};

class HeadReader {
 public:
  HeadReader(std::span<const std::byte> file, Head& head) : m_file(file), m_head(head) {}
  DecodeRoute read();

 private:
  // These return Own to continue.
  DecodeRoute marker(unsigned code, Segment segment);
  DecodeRoute frame(Segment& segment);
  DecodeRoute scan(Segment& segment);
  DecodeRoute huffman(Segment& segment);
  DecodeRoute quantisation(Segment& segment);
  DecodeRoute sampling();
  DecodeRoute colours() const;

  std::span<const std::byte> m_file;
  Head& m_head;
  std::array<unsigned, 3> m_ids{};
  std::array<bool, 4> m_hasQuant{};
  std::optional<unsigned> m_adobeTransform;
  bool m_hasJfif = false;
  bool m_hasFrame = false;
};

constexpr unsigned kStartOfScan = 0xda;

DecodeRoute HeadReader::read() {
  std::size_t at = 2;
  while (true) {
    while (at + 1 < m_file.size() && m_file[at] == std::byte{0xff} &&
           m_file[at + 1] == std::byte{0xff})
      ++at;  // Fill bytes.
    if (at + 4 > m_file.size() || m_file[at] != std::byte{0xff}) return DecodeRoute::Head;
    const auto code = std::to_integer<unsigned>(m_file[at + 1]);
    const std::size_t length = std::to_integer<std::size_t>(m_file[at + 2]) << 8U |
                               std::to_integer<std::size_t>(m_file[at + 3]);
    if (length < 2 || m_file.size() - at - 2 < length) return DecodeRoute::Head;
    const DecodeRoute route = marker(code, Segment(m_file.subspan(at + 4, length - 2)));
    at += 2 + length;
    m_head.scanStart = at;
    if (route != DecodeRoute::Own || code == kStartOfScan) return route;
  }
}

DecodeRoute HeadReader::marker(unsigned code, Segment segment) {
  switch (code) {
    case 0xc0:
    case 0xc1: return frame(segment);
    case 0xc2: return DecodeRoute::Progressive;
    case 0xc9:
    case 0xca: return DecodeRoute::Arithmetic;
    case 0xc3:
    case 0xc5:
    case 0xc6:
    case 0xc7:
    case 0xcb:
    case 0xcd:
    case 0xce:
    case 0xcf: return DecodeRoute::OtherProcess;
    case 0xc4: return huffman(segment);
    case 0xdb: return quantisation(segment);
    case 0xdd:
      m_head.restartInterval = static_cast<int>(segment.word());
      return segment.atEnd() && !segment.isShort() ? DecodeRoute::Own : DecodeRoute::Head;
    case kStartOfScan: return scan(segment);
    case 0xe0:
      if (segment.text().size() >= 14 &&
          segment.text().starts_with(std::string_view("JFIF\0", 5))) {
        m_hasJfif = true;
        if (segment.text()[5] != 1)
          return DecodeRoute::Head;  // The library warns about the
                                     // version.
      }
      return DecodeRoute::Own;
    case 0xee:
      if (segment.text().size() >= 12 && segment.text().starts_with("Adobe"))
        m_adobeTransform = static_cast<unsigned char>(segment.text()[11]);
      return DecodeRoute::Own;
    default: break;
  }
  const bool skipped = (code >= 0xe1 && code <= 0xef) || code == 0xfe;  // APPn and comments.
  return skipped ? DecodeRoute::Own : DecodeRoute::Head;
}

DecodeRoute HeadReader::frame(Segment& segment) {
  if (m_hasFrame) return DecodeRoute::Head;
  m_hasFrame = true;
  if (segment.byte() != 8) return DecodeRoute::OtherProcess;
  m_head.height = static_cast<int>(segment.word());
  m_head.width = static_cast<int>(segment.word());
  m_head.components = static_cast<int>(segment.byte());
  if (m_head.components != 1 && m_head.components != 3) return DecodeRoute::Colours;
  for (int i = 0; i < m_head.components; ++i) {
    const auto at = static_cast<std::size_t>(i);
    m_ids[at] = segment.byte();
    const unsigned factors = segment.byte();
    m_head.component[at].horizontal = static_cast<int>(factors >> 4U);
    m_head.component[at].vertical = static_cast<int>(factors & 15U);
    m_head.component[at].quantTable = segment.byte();
    if (m_head.component[at].quantTable > 3) return DecodeRoute::Head;
  }
  if (segment.isShort() || !segment.atEnd()) return DecodeRoute::Head;
  if (m_head.width < 1 || m_head.height < 1 || m_head.width > kMaxSide || m_head.height > kMaxSide)
    return DecodeRoute::Head;
  return sampling();
}

DecodeRoute HeadReader::sampling() {
  Component& first = m_head.component[0];
  if (m_head.components == 1) {
    // The blocks of a single component are stored one by one, whatever its factors (T.81, A.2.2).
    const auto allowed = [](int factor) { return factor >= 1 && factor <= 4; };
    if (!allowed(first.horizontal) || !allowed(first.vertical)) return DecodeRoute::Sampling;
    first.horizontal = first.vertical = 1;
    return DecodeRoute::Own;
  }
  for (std::size_t i = 1; i < 3; ++i)
    if (m_head.component[i].horizontal != 1 || m_head.component[i].vertical != 1)
      return DecodeRoute::Sampling;
  constexpr std::array<std::array<int, 2>, 5> kTaken{{{1, 1}, {2, 1}, {2, 2}, {1, 2}, {4, 1}}};
  if (std::find(kTaken.begin(), kTaken.end(), std::array{first.horizontal, first.vertical}) ==
      kTaken.end())
    return DecodeRoute::Sampling;
  m_head.maxHorizontal = first.horizontal;
  m_head.maxVertical = first.vertical;
  return DecodeRoute::Own;
}

/// As default_decompress_parms in jdapimin.c.
DecodeRoute HeadReader::colours() const {
  if (m_head.components == 1 || m_hasJfif) return DecodeRoute::Own;
  if (m_adobeTransform) return *m_adobeTransform == 1 ? DecodeRoute::Own : DecodeRoute::Colours;
  return m_ids == std::array{1U, 2U, 3U} ? DecodeRoute::Own : DecodeRoute::Colours;
}

DecodeRoute HeadReader::huffman(Segment& segment) {
  while (!segment.atEnd()) {
    const unsigned which = segment.byte();
    if ((which & 0xe0U) != 0 || (which & 15U) > 3) return DecodeRoute::Head;
    HuffmanSpec& spec = ((which & 16U) != 0 ? m_head.ac : m_head.dc)[which & 15U];
    spec = {};
    std::size_t codes = 0;
    for (std::size_t length = 1; length <= 16; ++length) {
      spec.counts[length] = static_cast<std::uint8_t>(segment.byte());
      codes += spec.counts[length];
    }
    if (codes > spec.symbols.size()) return DecodeRoute::Head;
    for (std::size_t i = 0; i < codes; ++i)
      spec.symbols[i] = static_cast<std::uint8_t>(segment.byte());
    spec.present = true;
    if (segment.isShort()) return DecodeRoute::Head;
  }
  return DecodeRoute::Own;
}

DecodeRoute HeadReader::quantisation(Segment& segment) {
  while (!segment.atEnd()) {
    const unsigned which = segment.byte();
    if ((which & 0xf0U) != 0) return DecodeRoute::Tables;  // 16 bits.
    if (which > 3) return DecodeRoute::Head;
    for (const std::uint8_t place : kNaturalOrder)
      m_head.quant[which][place] = static_cast<std::uint16_t>(segment.byte());
    m_hasQuant[which] = true;
    if (segment.isShort()) return DecodeRoute::Head;
  }
  return DecodeRoute::Own;
}

DecodeRoute HeadReader::scan(Segment& segment) {
  if (!m_hasFrame) return DecodeRoute::Head;
  if (m_head.components == 3 &&
      (m_ids[0] == m_ids[1] || m_ids[0] == m_ids[2] || m_ids[1] == m_ids[2]))
    return DecodeRoute::Head;
  if (segment.byte() != static_cast<unsigned>(m_head.components)) return DecodeRoute::Scans;
  for (int i = 0; i < m_head.components; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (segment.byte() != m_ids[at]) return DecodeRoute::Scans;
    const unsigned tables = segment.byte();
    Component& component = m_head.component[at];
    component.dcTable = tables >> 4U;
    component.acTable = tables & 15U;
    if (component.dcTable > 3 || component.acTable > 3) return DecodeRoute::Tables;
    if (!m_hasQuant[component.quantTable] || !m_head.dc[component.dcTable].present ||
        !m_head.ac[component.acTable].present)
      return DecodeRoute::Tables;
  }
  const bool wholeBlocks = segment.byte() == 0 && segment.byte() == 63 && segment.byte() == 0;
  if (!wholeBlocks || segment.isShort() || !segment.atEnd()) return DecodeRoute::Head;
  return colours();
}

}  // namespace

DecodeRoute readHead(std::span<const std::byte> file, Head& head) {
  head = {};
  if (file.size() < 2) return DecodeRoute::Head;
  return HeadReader(file, head).read();
}

}  // namespace millrace::jpeg
