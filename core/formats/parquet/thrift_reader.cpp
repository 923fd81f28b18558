// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/thrift_reader.h"

namespace millrace {

namespace {

/// Parquet's own structures are less deep; deeper ones come from damage.
constexpr int kDeepestThrift = 24;

}  // namespace

bool ThriftReader::enter() { return expect(++m_depth <= kDeepestThrift); }

std::uint8_t ThriftReader::byte() {
  if (!m_ok) return 0;
  if (m_at == m_bytes.size()) {
    m_cut = true;
    fail();
    return 0;
  }
  return std::to_integer<std::uint8_t>(m_bytes[m_at++]);
}

std::uint64_t ThriftReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t part = byte();
    value |= static_cast<std::uint64_t>(part & 0x7fU) << shift;
    if (part < 0x80U) return m_ok ? value : 0;
  }
  fail();
  return 0;
}

std::int64_t ThriftReader::zigzag() {
  const std::uint64_t coded = varint();
  return static_cast<std::int64_t>((coded >> 1U) ^ (0 - (coded & 1U)));
}

std::span<const std::byte> ThriftReader::take(std::uint64_t count) {
  if (!m_ok) return {};
  if (count > m_bytes.size() - m_at) {
    m_cut = true;
    fail();
    return {};
  }
  const auto found = m_bytes.subspan(m_at, count);
  m_at += count;
  return found;
}

bool ThriftReader::next(Head& head) {
  const std::uint8_t coded = byte();
  const unsigned type = coded & 0x0fU;
  if (!m_ok || type == 0) return false;
  if (!expect(type <= static_cast<unsigned>(ThriftType::Struct))) return false;
  const unsigned step = coded >> 4U;
  head.id = step > 0 ? head.id + step : zigzag();
  head.type = static_cast<ThriftType>(type);
  // Field numbers have 16 bits.
  return expect(head.id >= 0 && head.id <= 0x7fff);
}

std::uint64_t ThriftReader::listHead(ThriftType& of) {
  const std::uint8_t coded = byte();
  const unsigned type = coded & 0x0fU;
  std::uint64_t count = coded >> 4U;
  if (count == 15) count = varint();
  // Every element has at least one byte.
  if (!expect(type > 0 && type <= static_cast<unsigned>(ThriftType::Struct))) return 0;
  if (count > m_bytes.size() - m_at) {
    m_cut = true;
    fail();
    return 0;
  }
  of = static_cast<ThriftType>(type);
  return count;
}

bool ThriftReader::integer(ThriftType type, std::int64_t& to) {
  if (type == ThriftType::I8)
    to = (byte() ^ 0x80) - 0x80;  // signed
  else if (expect(type >= ThriftType::I16 && type <= ThriftType::I64))
    to = zigzag();
  return true;
}

bool ThriftReader::boolean(ThriftType type, bool& to) {
  if (expect(type == ThriftType::True || type == ThriftType::False)) to = type == ThriftType::True;
  return true;
}

bool ThriftReader::text(ThriftType type, std::string& to) {
  if (!expect(type == ThriftType::Binary)) return true;
  const auto found = take(varint());
  to.assign(reinterpret_cast<const char*>(found.data()), found.size());
  return true;
}

void ThriftReader::skipElement(ThriftType type) {
  // A boolean of a list has a byte; one of a struct lies in its head.
  if (type == ThriftType::True || type == ThriftType::False)
    byte();
  else
    skip(type);
}

void ThriftReader::skipMap() {
  const std::uint64_t count = varint();
  if (count == 0) return;
  const std::uint8_t coded = byte();
  constexpr auto kLast = static_cast<unsigned>(ThriftType::Struct);
  const unsigned key = coded >> 4U;
  const unsigned value = coded & 0x0fU;
  if (!expect(key > 0 && key <= kLast && value > 0 && value <= kLast)) return;
  for (std::uint64_t left = count; left > 0 && m_ok; --left) {
    skipElement(static_cast<ThriftType>(key));
    skipElement(static_cast<ThriftType>(value));
  }
}

void ThriftReader::skip(ThriftType type) {
  if (!enter()) return;
  switch (type) {
    case ThriftType::Stop:
    case ThriftType::True:
    case ThriftType::False: break;
    case ThriftType::I8: byte(); break;
    case ThriftType::I16:
    case ThriftType::I32:
    case ThriftType::I64: varint(); break;
    case ThriftType::Double: take(8); break;
    case ThriftType::Binary: take(varint()); break;
    case ThriftType::List:
    case ThriftType::Set: {
      ThriftType of = ThriftType::Stop;
      for (std::uint64_t left = listHead(of); left > 0 && m_ok; --left) skipElement(of);
      break;
    }
    case ThriftType::Map: skipMap(); break;
    case ThriftType::Struct:
      for (Head head; next(head);) skip(head.type);
      break;
  }
  --m_depth;
}

}  // namespace millrace
