// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A .npy file or a .npz archive. Every row of an opened file can be read.
#include <vector>

#include "core/formats/io/range_reader.h"
#include "core/formats/npy/npy_array.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const OpenFile file = fuzz::memoryFile(data, size);
  std::vector<std::string> notes;
  const auto arrays = openNpyArrays(file, notes);
  if (!arrays) return 0;
  RangeReader reader;
  ReadCounters counters;
  for (const NpyArray& array : *arrays) {
    const std::uint64_t bytes = array.head.rowBytes();
    if (bytes == 0) std::abort();
    if (array.head.rows == 0) continue;
    const std::uint64_t last = array.offset + (array.head.rows - 1) * bytes;
    if (!reader.read(array.fd, last, static_cast<std::size_t>(bytes), counters)) std::abort();
    if (!reader.read(array.fd, array.offset, static_cast<std::size_t>(bytes), counters))
      std::abort();
  }
  return 0;
}
