// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_values.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/parquet/delta_runs.h"
#include "core/formats/parquet/hybrid_runs.h"

namespace millrace {

namespace {

/// Numbers of the encodings in the file.
constexpr int kPlainValues = 0;
constexpr int kPlainDictionary = 2;
constexpr int kRunLengths = 3;
constexpr int kDeltaBinaryPacked = 5;
constexpr int kDeltaLengthByteArray = 6;
constexpr int kDeltaByteArray = 7;
constexpr int kRunLengthDictionary = 8;
constexpr int kByteStreamSplit = 9;
/// Values that share beginnings can be much longer than their page. Longer pages are refused.
constexpr std::uint64_t kLongestShared = std::uint64_t{1} << 28U;

Error valuesCut(std::size_t count) {
  return Error{fmt::format("its bytes end before {}", counted(count, "value"))};
}

/// Converts whole numbers from their stored type to the field's.
template <class From, class To>
bool convertParquet(std::span<const std::byte> from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = littleEndian<From>(from.data() + i * sizeof(From));
    const auto made = static_cast<To>(value);
    if (static_cast<From>(made) != value) return false;
    std::memcpy(to + i * sizeof(To), &made, sizeof(To));
  }
  return true;
}

}  // namespace

std::size_t ParquetValues::bytes() const {
  std::size_t sum = m_numbers.capacity() + m_strings.capacity() * sizeof(Bytes);
  for (const Buffer& buffer : m_memory) sum += buffer.capacity();
  return sum;
}

std::byte* ParquetValues::room(std::size_t count) {
  const std::size_t used = m_size * m_width;
  const std::size_t needed = used + count * m_width;
  if (needed > m_numbers.capacity())
    m_numbers.grow(used == 0 ? needed : std::max(needed, 2 * used), used);
  m_size += count;
  return m_numbers.data() + used;
}

Status ParquetValues::append(const ParquetColumn& column, int encoding, Bytes bytes,
                             std::size_t count,
                             const std::shared_ptr<const ParquetValues>& dictionary) {
  if (count == 0) return {};
  const bool whole = column.type == ParquetType::Int32 || column.type == ParquetType::Int64;
  const bool strings = column.type == ParquetType::ByteArray;
  const bool fixed = column.type == ParquetType::FixedBytes;
  switch (encoding) {
    case kPlainValues: return plain(column, bytes, count);
    case kPlainDictionary:
    case kRunLengthDictionary: return entries(bytes, count, dictionary);
    case kRunLengths:
      if (column.type == ParquetType::Boolean) return booleans(bytes, count, true);
      break;
    case kDeltaBinaryPacked:
      if (whole) return deltas(column, bytes, count);
      break;
    case kDeltaLengthByteArray:
      if (strings) return deltaLengths(bytes, count);
      break;
    case kDeltaByteArray:
      if (strings || fixed) return deltaStrings(column, bytes, count);
      break;
    case kByteStreamSplit:
      if (column.storedBytes() > 0) return split(column, bytes, count);
      break;
    default: break;
  }
  return Error{fmt::format("its encoding has the number {}, which is not supported for {}",
                           encoding, column.kind)};
}

Status ParquetValues::plain(const ParquetColumn& column, Bytes bytes, std::size_t count) {
  if (column.type == ParquetType::Boolean) return booleans(bytes, count, false);
  if (column.type == ParquetType::ByteArray) return plainStrings(bytes, count);
  const std::uint64_t needed = std::uint64_t{column.storedBytes()} * count;
  if (needed > bytes.size()) return valuesCut(count);
  return stored(column, bytes.first(needed), count);
}

Status ParquetValues::plainStrings(Bytes bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::size_t kLength = 4;
    if (bytes.size() < kLength) return valuesCut(count);
    const auto length = littleEndian<std::uint32_t>(bytes.data());
    bytes = bytes.subspan(kLength);
    if (length > bytes.size())
      return Error{fmt::format("value {} should have {} bytes, but {} are left", i, grouped(length),
                               grouped(bytes.size()))};
    m_strings.push_back(bytes.first(length));
    bytes = bytes.subspan(length);
    ++m_size;
  }
  return {};
}

Status ParquetValues::booleans(Bytes bytes, std::size_t count, bool runs) {
  if (!runs) {
    if ((count + 7) / 8 > bytes.size()) return valuesCut(count);
    std::byte* to = room(count);
    for (std::size_t i = 0; i < count; ++i) to[i] = (bytes[i / 8] >> (i % 8)) & std::byte{1};
    return {};
  }
  constexpr std::size_t kLength = 4;
  if (bytes.size() < kLength) return valuesCut(count);
  const auto length = littleEndian<std::uint32_t>(bytes.data());
  if (length > bytes.size() - kLength) return valuesCut(count);
  HybridRuns bits(bytes.subspan(kLength, length), 1);
  std::array<std::uint32_t, 256> some{};
  for (std::size_t left = count; left > 0;) {
    const auto part = std::span(some).first(std::min(left, some.size()));
    if (!bits.read(part)) return valuesCut(count);
    std::byte* to = room(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) to[i] = static_cast<std::byte>(part[i] & 1U);
    left -= part.size();
  }
  return {};
}

/// Values in their stored width.
Status ParquetValues::stored(const ParquetColumn& column, Bytes values, std::size_t count) {
  std::byte* to = room(count);
  bool fits = true;
  const bool small = column.type == ParquetType::Int32;
  if (small && column.dtype == DType::I8) {
    fits = convertParquet<std::int32_t, std::int8_t>(values, count, to);
  } else if (small && column.dtype == DType::U8) {
    fits = convertParquet<std::int32_t, std::uint8_t>(values, count, to);
  } else if (small && column.dtype == DType::I16) {
    fits = convertParquet<std::int32_t, std::int16_t>(values, count, to);
  } else if (small && column.dtype == DType::U16) {
    fits = convertParquet<std::int32_t, std::uint16_t>(values, count, to);
  } else if (small && column.dtype == DType::I64) {
    fits = convertParquet<std::uint32_t, std::int64_t>(values, count, to);
  } else {
    std::memcpy(to, values.data(), values.size());
  }
  return fits ? Status() : Error{fmt::format("a number does not fit into {}", column.kind)};
}

Status ParquetValues::split(const ParquetColumn& column, Bytes bytes, std::size_t count) {
  const std::size_t width = column.storedBytes();
  if (std::uint64_t{width} * count > bytes.size()) return valuesCut(count);
  std::vector<std::byte> values(width * count);
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t i = 0; i < count; ++i) values[i * width + b] = bytes[b * count + i];
  return stored(column, values, count);
}

Status ParquetValues::deltas(const ParquetColumn& column, Bytes bytes, std::size_t count) {
  std::vector<std::int64_t> numbers;
  if (const auto read = appendParquetDeltas(bytes, count, numbers); !read) return read.error();
  if (column.type == ParquetType::Int64)
    return stored(column, std::as_bytes(std::span(numbers)), count);
  // Sums wrap around at 32 bits.
  std::vector<std::int32_t> narrow(count);
  for (std::size_t i = 0; i < count; ++i) narrow[i] = static_cast<std::int32_t>(numbers[i]);
  return stored(column, std::as_bytes(std::span(narrow)), count);
}

Status ParquetValues::deltaLengths(Bytes bytes, std::size_t count) {
  std::vector<std::int64_t> lengths;
  MILLRACE_ASSIGN_OR_RETURN(const auto taken, appendParquetDeltas(bytes, count, lengths));
  Bytes rest = bytes.subspan(taken);
  for (const std::int64_t length : lengths) {
    if (length < 0 || static_cast<std::uint64_t>(length) > rest.size())
      return Error{fmt::format("a value should have {} bytes, but {} are left", length,
                               grouped(rest.size()))};
    m_strings.push_back(rest.first(static_cast<std::size_t>(length)));
    rest = rest.subspan(static_cast<std::size_t>(length));
    ++m_size;
  }
  return {};
}

Status ParquetValues::deltaStrings(const ParquetColumn& column, Bytes bytes, std::size_t count) {
  std::vector<std::int64_t> shared;
  std::vector<std::int64_t> own;
  MILLRACE_ASSIGN_OR_RETURN(const auto first, appendParquetDeltas(bytes, count, shared));
  bytes = bytes.subspan(first);
  MILLRACE_ASSIGN_OR_RETURN(const auto second, appendParquetDeltas(bytes, count, own));
  bytes = bytes.subspan(second);
  std::uint64_t before = 0;
  std::uint64_t whole = 0;
  std::uint64_t tails = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (shared[i] < 0 || static_cast<std::uint64_t>(shared[i]) > before || own[i] < 0 ||
        static_cast<std::uint64_t>(own[i]) > bytes.size() - tails)
      return Error{fmt::format("value {} shares {} bytes with a value of {}, and has {} itself", i,
                               shared[i], before, own[i])};
    tails += static_cast<std::uint64_t>(own[i]);
    before = static_cast<std::uint64_t>(shared[i] + own[i]);
    whole += before;
    if (m_width > 0 && before != m_width)
      return Error{fmt::format("value {} has {} bytes instead of {}", i, before, m_width)};
    if (whole > kLongestShared)
      return Error{fmt::format("its values have more than {} bytes", grouped(kLongestShared))};
  }
  Buffer memory;
  std::byte* to = memory.reserve(whole);
  const std::byte* last = to;
  for (std::size_t i = 0; i < count; ++i) {
    const auto same = static_cast<std::size_t>(shared[i]);
    const auto rest = static_cast<std::size_t>(own[i]);
    if (same > 0) std::memmove(to, last, same);
    if (rest > 0) std::memcpy(to + same, bytes.data(), rest);
    bytes = bytes.subspan(rest);
    if (m_width == 0) m_strings.emplace_back(to, same + rest);
    last = to;
    to += same + rest;
  }
  if (m_width > 0) return stored(column, {memory.data(), whole}, count);
  m_size += count;
  keep(std::move(memory));
  return {};
}

Status ParquetValues::entries(Bytes bytes, std::size_t count,
                              const std::shared_ptr<const ParquetValues>& dictionary) {
  if (!dictionary) return Error{"its dictionary is missing"};
  if (bytes.empty()) return valuesCut(count);
  const auto width = std::to_integer<unsigned>(bytes.front());
  if (width > 32) return Error{fmt::format("its dictionary's numbers have {} bits", width)};
  HybridRuns numbers(bytes.subspan(1), width);
  std::array<std::uint32_t, 256> some{};
  for (std::size_t left = count; left > 0;) {
    const auto part = std::span(some).first(std::min(left, some.size()));
    if (!numbers.read(part)) return valuesCut(count);
    const std::uint32_t highest = *std::max_element(part.begin(), part.end());
    if (highest >= dictionary->size())
      return Error{fmt::format("it refers to entry {} of a dictionary with {}", grouped(highest),
                               grouped(dictionary->size()))};
    if (m_width == 0) {
      for (const std::uint32_t entry : part) m_strings.push_back(dictionary->m_strings[entry]);
      m_size += part.size();
    } else {
      std::byte* to = room(part.size());
      for (const std::uint32_t entry : part) {
        std::memcpy(to, dictionary->m_numbers.data() + std::size_t{entry} * m_width, m_width);
        to += m_width;
      }
    }
    left -= part.size();
  }
  if (m_width == 0 && (m_dictionaries.empty() || m_dictionaries.back() != dictionary))
    m_dictionaries.push_back(dictionary);
  return {};
}

}  // namespace millrace
