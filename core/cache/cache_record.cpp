// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/cache_record.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/crc32c.h"
#include "core/base/little_endian.h"

namespace millrace {

namespace {

constexpr std::uint32_t kRecordMagic = 0x3143524d;  // "MRC1"

struct RecordHead {
  std::uint32_t magic;
  std::uint32_t sum;  ///< CRC-32C of everything after it
  std::uint32_t index;
  std::uint32_t fields;
  std::uint64_t bytes;  ///< of the whole record
  std::array<std::byte, 40> unused;
};
static_assert(sizeof(RecordHead) == kRecordUnit);
constexpr std::size_t kSummed = 8;

struct FieldHead {
  std::uint8_t dtype;
  std::uint8_t layout;
  std::uint8_t rank;
  std::array<std::byte, 5> unused;
  std::uint64_t bytes;
  std::array<std::int64_t, Shape::kMaxRank> sizes;
};
static_assert(sizeof(FieldHead) == kRecordUnit);

constexpr std::size_t inUnits(std::size_t bytes) {
  return (bytes + kRecordUnit - 1) / kRecordUnit * kRecordUnit;
}

constexpr std::size_t headsOf(std::size_t fields) { return (1 + fields) * kRecordUnit; }

/// Whether the number of bytes matches its elements; encoded values may have any length.
bool isComplete(const TensorView& view) {
  if (view.dtype == DType::Encoded) return true;
  std::uint64_t bytes = sizeOf(view.dtype);
  for (const std::int64_t size : view.shape) {
    if (size < 0 || (size > 0 && bytes > kLargestRecord / static_cast<std::uint64_t>(size)))
      return false;
    bytes *= static_cast<std::uint64_t>(size);
  }
  return bytes == view.bytes;
}

FieldHead fieldHead(const TensorView& view) {
  FieldHead head{};
  head.dtype = static_cast<std::uint8_t>(view.dtype);
  head.layout = static_cast<std::uint8_t>(view.layout);
  head.rank = static_cast<std::uint8_t>(view.shape.rank());
  head.bytes = view.bytes;
  for (std::size_t d = 0; d < view.shape.rank(); ++d) head.sizes[d] = view.shape[d];
  return head;
}

bool isWhole(std::span<const std::byte> record, std::uint32_t index, std::size_t fields) {
  if (record.size() % kRecordUnit != 0 || record.size() / kRecordUnit < 1 + fields) return false;
  const auto head = littleEndian<RecordHead>(record.data());
  return head.magic == kRecordMagic && head.index == index && head.fields == fields &&
         head.bytes == record.size() && head.sum == crc32c(record.subspan(kSummed));
}

/// The value of field f, whose bytes begin at `at`; moves `at` past them.
std::optional<TensorView> fieldOf(std::span<std::byte> record, std::size_t f, std::size_t& at) {
  const auto head = littleEndian<FieldHead>(record.data() + headsOf(f));
  if (head.dtype > static_cast<std::uint8_t>(DType::Encoded) ||
      head.layout > static_cast<std::uint8_t>(Layout::Chw) || head.rank > Shape::kMaxRank ||
      head.bytes > record.size() - at)
    return std::nullopt;
  TensorView view{static_cast<DType>(head.dtype),
                  static_cast<Layout>(head.layout),
                  {},
                  record.data() + at,
                  head.bytes};
  for (std::size_t d = 0; d < head.rank; ++d) view.shape.append(head.sizes[d]);
  if (!isComplete(view)) return std::nullopt;
  at += inUnits(head.bytes);
  return view;
}

}  // namespace

std::size_t recordBytes(const Sample& sample, std::size_t fields) {
  std::size_t bytes = headsOf(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    if (!isComplete(sample[f]) || sample[f].bytes > kLargestRecord) return 0;
    bytes += inUnits(sample[f].bytes);
  }
  return bytes <= kLargestRecord ? bytes : 0;
}

void writeRecord(const Sample& sample, std::size_t fields, std::byte* to) {
  std::size_t at = headsOf(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    const TensorView& view = sample[f];
    const FieldHead head = fieldHead(view);
    std::memcpy(to + headsOf(f), &head, sizeof head);
    if (view.bytes > 0) std::memcpy(to + at, view.data, view.bytes);
    std::memset(to + at + view.bytes, 0, inUnits(view.bytes) - view.bytes);
    at += inUnits(view.bytes);
  }
  RecordHead head{};
  head.magic = kRecordMagic;
  head.index = sample.key().index;
  head.fields = static_cast<std::uint32_t>(fields);
  head.bytes = at;
  std::memcpy(to, &head, sizeof head);
  head.sum = crc32c({to + kSummed, at - kSummed});
  std::memcpy(to, &head, sizeof head);
}

bool lendRecord(std::span<std::byte> record, std::size_t fields, Sample& sample) {
  if (!isWhole(record, sample.key().index, fields)) return false;
  // The CRC is correct, so only another program can have written values that no sample can have.
  // All fields are checked before the first is lent.
  for (const bool lend : {false, true}) {
    std::size_t at = headsOf(fields);
    for (std::size_t f = 0; f < fields; ++f) {
      const std::optional<TensorView> view = fieldOf(record, f, at);
      if (!view) return false;
      if (lend) sample.borrow(f, *view);
    }
  }
  return true;
}

}  // namespace millrace
