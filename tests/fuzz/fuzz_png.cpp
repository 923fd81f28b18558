// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/decode_bytes.h"
#include "tests/fuzz/png_sums.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  std::vector<std::uint8_t> file(data, data + size - kRequestBytes);
  // The last byte of the request leaves one in eight uncorrected.
  if (data[size - 1] % 8 != 7) repairCheckSums(file);
  decodeBytes(file, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
