// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/decode_bytes.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t crcOf(const std::uint8_t* bytes, std::size_t size) {
  std::uint32_t sum = 0xffffffffU;
  for (std::size_t i = 0; i < size; ++i) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0xedb88320U : sum >> 1U;
  }
  return ~sum;
}

/// Makes every chunk's check sum right; else hardly an input would get past the first.
void repairCheckSums(Bytes& file) {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = static_cast<std::size_t>(file[at]) << 24U | file[at + 1] << 16U |
                               file[at + 2] << 8U | file[at + 3];
    if (length > file.size() - at - 12) return;
    const std::uint32_t sum = crcOf(&file[at + 4], length + 4);
    for (std::size_t i = 0; i < 4; ++i)
      file[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24U - 8U * i));
    at += 12 + length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  Bytes file(data, data + size - kRequestBytes);
  // The last byte of the request leaves one in eight as it is.
  if (data[size - 1] % 8 != 7) repairCheckSums(file);
  decodeBytes(file, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
