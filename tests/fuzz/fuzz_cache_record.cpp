// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A record of a disk cache, with the correct checksum in seven of eight inputs. Memory lent to a
// sample lies in the record and has the size of its type and shape. The last byte is not part of
// it.
#include <cstdlib>
#include <cstring>
#include <span>

#include "core/base/crc32c.h"
#include "core/cache/cache_record.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

constexpr std::size_t kFields = 2;

/// Sets magic, index, fields and length as a reader expects, then the checksum over them.
void repairHead(std::span<std::byte> record) {
  const std::uint64_t bytes = record.size();
  std::memcpy(record.data(), "MRC1", 4);
  std::memset(record.data() + 8, 0, 8);
  record[12] = std::byte{kFields};
  std::memcpy(record.data() + 16, &bytes, sizeof bytes);
  const std::uint32_t sum = crc32c(record.subspan(8));
  std::memcpy(record.data() + 4, &sum, sizeof sum);
}

void hold(std::span<const std::byte> record, const TensorView& view) {
  if (view.data < record.data() || view.bytes > record.size() ||
      view.data + view.bytes > record.data() + record.size())
    std::abort();
  if (view.dtype == DType::Encoded) return;
  if (static_cast<std::uint64_t>(view.shape.elements()) * sizeOf(view.dtype) != view.bytes)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Buffer memory;
  const std::span<std::byte> record(memory.reserve(size - 1), size - 1);
  if (!record.empty()) std::memcpy(record.data(), data, record.size());
  if (record.size() >= kRecordUnit && data[size - 1] % 8 != 7) repairHead(record);
  Sample sample;
  sample.reset({0, 0, 0}, kFields);
  if (!lendRecord(record, kFields, sample)) return 0;
  for (std::size_t f = 0; f < kFields; ++f) hold(record, sample[f]);
  // A lent sample can be kept again.
  if (recordBytes(sample, kFields) == 0) std::abort();
  return 0;
}
