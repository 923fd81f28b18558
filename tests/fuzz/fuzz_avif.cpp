// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/decode_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  decodeBytes({data, size - kRequestBytes}, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
