// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/array_inlay.h"

#include <algorithm>
#include <functional>

namespace millrace {

ArrayInlay::ArrayInlay(const std::vector<Part>& parts) {
  const auto ragged = [](const Part& part) { return isRagged(part.spec); };
  if (std::ranges::any_of(parts, ragged)) return;
  const auto found = std::ranges::find_if(parts, [&](const Part& part) {
    return sizeOf(part.spec.dtype) == 1 &&
           part.spec.shape.elements() > static_cast<std::int64_t>(RangeReader::kLong) &&
           std::ranges::count(parts, part.key, &Part::key) == 1;
  });
  if (found == parts.end()) return;
  m_field = static_cast<std::size_t>(found - parts.begin());
  m_spec = found->spec;
  m_bytes = static_cast<std::size_t>(m_spec.shape.elements());
}

std::optional<RangeReader::Inlay> ArrayInlay::guess(std::size_t recordBytes, Sample& sample) {
  m_inlay.reset();
  if (!m_field) return m_inlay;
  const auto known = std::ranges::find(m_known, recordBytes, &Known::recordBytes);
  if (known == m_known.end() || recordBytes == 0) return m_inlay;
  m_to = sample.replace(*m_field, m_spec.dtype, m_spec.shape, m_spec.layout);
  m_inlay = {known->begin, {m_to.data, m_to.bytes}};
  return m_inlay;
}

bool ArrayInlay::settle(std::span<std::byte> record, Sample& sample) {
  if (!m_field) return true;
  TensorView& value = sample[*m_field];
  if (m_inlay) {
    std::byte* const expected = record.data() + m_inlay->begin;
    if (value.data == expected && value.bytes == m_bytes) {
      value = m_to;
      return true;
    }
    std::ranges::copy(m_inlay->to, expected);
    std::ranges::replace_if(
        m_known, [&](const Known& known) { return known.recordBytes == record.size(); }, Known());
    m_inlay.reset();
    return false;
  }
  const std::byte* const end = record.data() + record.size();
  if (value.bytes != m_bytes || std::less<>()(value.data, record.data()) ||
      !std::less<>()(value.data, end))
    return true;
  m_known[m_next] = {record.size(), static_cast<std::size_t>(value.data - record.data())};
  m_next = (m_next + 1) % m_known.size();
  return true;
}

}  // namespace millrace
