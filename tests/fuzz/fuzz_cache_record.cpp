// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A record of a disk cache, with the right sum in seven of eight inputs. What a sample is lent lies
// in the record and has the bytes that its type and shape ask for. The last byte is no part of it.
#include <cstdlib>
#include <cstring>
#include <span>

#include "core/base/crc32c.h"
#include "core/cache/cache_record.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a program of its own

namespace {

constexpr std::size_t kFields = 2;

/// Magic, index, fields and length as a reader asks for; then the sum over that.
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
  // What was lent can be kept again.
  if (recordBytes(sample, kFields) == 0) std::abort();
  return 0;
}
