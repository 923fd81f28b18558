// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/entropy_decoder.h"

#include <algorithm>
#include <limits>

namespace millrace::jpeg {

DecodeRoute EntropyDecoder::setTables(const Head& head) {
  m_tables.count = 0;
  for (std::size_t c = 0; c < static_cast<std::size_t>(head.components); ++c) {
    const Component& component = head.component[c];
    HuffmanTable& dc = m_dc[component.dcTable];
    HuffmanTable& ac = m_ac[component.acTable];
    if (!dc.build(head.dc[component.dcTable], HuffmanTable::Kind::Dc) ||
        !ac.build(head.ac[component.acTable], HuffmanTable::Kind::Ac))
      return DecodeRoute::Tables;
    for (int i = 0; i < component.horizontal * component.vertical; ++i)
      m_tables.blocks[m_tables.count++] = {&dc, &ac, c};
  }
  return DecodeRoute::Own;
}

void EntropyDecoder::begin(const Head& head, std::span<const std::byte> data,
                           const ScanPlace& place, std::size_t mcu) {
  m_interval = head.restartInterval > 0 ? static_cast<std::size_t>(head.restartInterval)
                                        : std::numeric_limits<std::size_t>::max();
  m_origin = static_cast<std::size_t>(place.bit / 8);
  m_scan.assign(data.subspan(m_origin), head.restartInterval > 0, mcu / m_interval);
  openSegment(0);
  m_leftInSegment = m_interval - mcu % m_interval;
  m_predictors = place.predictors;
  const auto taken = static_cast<unsigned>(place.bit % 8);
  if (taken == 0) return;
  m_place.bits = std::uint64_t{*m_place.next++} << (56 + taken);
  m_place.count = 8 - taken;
}

void EntropyDecoder::openSegment(std::size_t i) {
  m_segment = i;
  m_leftInSegment = m_interval;
  m_predictors = {};
  const auto bytes = m_scan.segment(i);
  m_place = {0, 0, bytes.data(), bytes.data() + bytes.size()};
  m_searched = 0;
  m_stuffed = 0;
}

/// Only if the segment's bytes are used up, as every encoder leaves them.
bool EntropyDecoder::nextSegment() {
  const auto left = (m_place.end - m_place.next) * 8 + static_cast<std::ptrdiff_t>(m_place.count);
  if (left >= 8 || m_segment + 1 >= m_scan.segments()) return false;
  openSegment(m_segment + 1);
  return true;
}

template <class Step>
bool EntropyDecoder::run(std::size_t mcus, Step&& step) {
  while (mcus > 0) {
    if (m_leftInSegment == 0 && !nextSegment()) return false;
    const std::size_t now = std::min(mcus, m_leftInSegment);
    if (!step(now)) return false;
    m_leftInSegment -= now;
    mcus -= now;
  }
  return true;
}

bool EntropyDecoder::decode(std::size_t mcus, std::int16_t* coefficients,
                            const std::uint32_t* targets) {
  return run(mcus, [&](std::size_t now) {
    const bool sound = decodeMcus(m_tables, now, m_place, m_predictors, coefficients, targets);
    targets += now * m_tables.count;
    return sound;
  });
}

bool EntropyDecoder::tellPlace(ScanPlace& place) {
  if (m_leftInSegment == 0 && !nextSegment()) return false;
  const auto bytes = m_scan.segment(m_segment);
  const auto taken = static_cast<std::size_t>(m_place.next - bytes.data()) * 8 - m_place.count;
  m_stuffed += countFf(bytes.subspan(m_searched, taken / 8 - m_searched));
  m_searched = taken / 8;
  place.bit = (m_origin + m_scan.origin(m_segment) + m_searched + m_stuffed) * 8 + taken % 8;
  place.predictors = m_predictors;
  return true;
}

bool EntropyDecoder::skip(std::size_t mcus) {
  return run(mcus, [&](std::size_t now) { return skipMcus(m_tables, now, m_place, m_predictors); });
}

}  // namespace millrace::jpeg
