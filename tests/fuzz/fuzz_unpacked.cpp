// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A compressed file. The first byte selects the compression; of a raw deflated part, the next four
// are its claimed size. No content exceeds its limit, and all of it can be read.
#include <array>

#include "core/formats/io/compressed_file.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/io/unpacked_file.h"
#include "tests/fuzz/memory_file.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

namespace {

/// Small, so that a few bytes cannot take the fuzzer's time.
constexpr std::uint64_t kMost = 1 << 20;

void check(const Result<OpenFile>& content, std::uint64_t most) {
  if (!content) return;
  if (content->size > most) std::abort();
  if (content->size == 0) return;
  RangeReader reader;
  ReadCounters counters;
  if (!reader.read(content->fd.get(), 0, static_cast<std::size_t>(content->size), counters))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 5;
  if (size < kHead) return 0;
  const OpenFile file = fuzz::memoryFile(data + kHead, size - kHead);
  switch (data[0] % 6) {
    case 0: check(uncompressed(file, Compression::Zstd, kMost), kMost); break;
    case 1: check(uncompressed(file, Compression::Bzip2, kMost), kMost); break;
    case 2: check(uncompressed(file, Compression::Brotli, kMost), kMost); break;
    case 3: check(uncompressed(file, Compression::Snappy, kMost), kMost); break;
    case 4: {
      // The content of gzip and zlib has no limit: deflate grows at most 1032-fold.
      const auto bytes = std::as_bytes(std::span(data + kHead, size - kHead));
      if (const Packing packing = packingOf(bytes); packing != Packing::None)
        check(unpacked(file, packing), 1032 * size);
      break;
    }
    default: {
      DeflatedRange range;
      range.packedSize = file.size;
      for (std::size_t i = 1; i < kHead; ++i) range.size = range.size << 8U | data[i];
      range.size %= kMost;
      check(inflated(file, range), range.size);
    }
  }
  return 0;
}
