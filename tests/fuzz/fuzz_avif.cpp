// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/decode_bytes.h"

/// dav1d 1.0 keeps 40 bytes for each picture without data that libavif gives it and it refuses.
extern "C" const char* __lsan_default_suppressions() { return "leak:libdav1d"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  decodeBytes({data, size - kRequestBytes}, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
