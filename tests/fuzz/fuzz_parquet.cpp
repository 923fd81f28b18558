// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A Parquet file: every cell of every column lies in memory that was decoded for it.
#include <algorithm>
#include <vector>

#include "core/formats/parquet/parquet_reader.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  OpenFile content = fuzz::memoryFile(data, size);
  auto footer = readParquetFooter(content);
  if (!footer) {
    // The footer's bytes alone, so that its length need not be guessed.
    (void)parseParquetFooter(std::as_bytes(std::span(data, size)));
    return 0;
  }
  (void)parquetClassNames(footer->features);
  ParquetFile file(std::move(content), footer.take());
  constexpr std::uint32_t kMostRows = 200;
  ParquetCache cache(std::size_t{1} << 20U);
  ParquetReader reader(cache, 1, ReadBy::Cache);
  ReadCounters counters;
  unsigned sum = 0;
  for (std::size_t c = 0; c < std::min<std::size_t>(file.footer().columns.size(), 32); ++c) {
    if (!file.footer().columns[c].whyNot.empty()) continue;
    file.use(c);
    for (std::uint32_t row = 0; row < std::min(file.rows(), kMostRows); ++row) {
      const auto cell = reader.read(0, {&file, 0, c}, row, counters);
      if (!cell) continue;
      for (const std::byte byte : cell->bytes) sum += std::to_integer<unsigned>(byte);
    }
  }
  asm volatile("" : : "r"(sum));  // reading the bytes must not be optimised away
  return 0;
}
